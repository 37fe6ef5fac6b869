"""The simulated scheduler starts what Snakemake's own would."""

import logging
from types import SimpleNamespace

from hypothesis import given, settings
from hypothesis import strategies as st
from snakemake.scheduling.greedy import Scheduler, SchedulerSettings

from ccc.schedule import Job, greedy

CORES = 8


class File(str):
    def is_flagged(self, flag):
        return False


def snakemakes_choice(jobs, free_cores, free_machine):
    """Names of the jobs that Snakemake would start now."""
    files = {job.name: File(job.name) for job in jobs}
    theirs = [
        SimpleNamespace(
            name=job.name,
            priority=job.priority,
            input=[files[job.name]],
            scheduler_resources={"_cores": min(job.cores, CORES), "machine": job.machine},
        )
        for job in jobs
    ]
    scheduler = Scheduler(None, SchedulerSettings(), logging.getLogger())
    chosen = scheduler.select_jobs(
        theirs,
        theirs,
        {"_cores": free_cores, "machine": free_machine},
        {files[job.name]: job.size for job in jobs},
    )
    return {job.name for job in chosen}


@settings(deadline=None)
@given(
    st.lists(
        st.builds(
            dict,
            cores=st.sampled_from([1, 1, 2, 5, 88]),
            machine=st.integers(0, 1),
            priority=st.integers(0, 2),
            size=st.integers(0, 10**9),
        ),
        max_size=12,
        # Snakemake leaves open which of two equals comes first.
        unique_by=lambda fields: (fields["priority"], fields["size"]),
    ),
    st.integers(1, CORES),
    st.integers(0, 1),
)
def test_the_same_jobs_are_started(fields, free_cores, free_machine):
    jobs = [Job(f"j{i}", 1.0, **values) for i, values in enumerate(fields)]
    ours = {job.name for job in greedy(jobs, free_cores, free_machine, CORES)}
    assert ours == snakemakes_choice(jobs, free_cores, free_machine)

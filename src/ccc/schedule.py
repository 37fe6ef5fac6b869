"""How long a run takes on so many cores: its jobs, of known length, under Snakemake's scheduler.

Nothing is run. The scheduler is the greedy one that ``profiles/default`` asks for: whenever a job
ends, the jobs that are ready are looked at in the order of their priority, then of the size of
their input, and each that fits into what is free is started. A job that needs all cores therefore
waits until nothing else can be started.

Left out is what one machine cannot tell about another: that many jobs at once share caches and
memory, and the time that Snakemake itself takes between two jobs.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from graphlib import CycleError, TopologicalSorter

__all__ = ["Job", "Schedule", "critical_path", "greedy", "share_machine", "simulate"]


@dataclass(frozen=True)
class Job:
    """A job of a run.

    Parameters
    ----------
    name : str
        Its own.
    seconds : float
        How long it takes.
    needs : collection of str
        Names of the jobs that must have ended before it starts.
    cores : int
        How many it holds; of a machine with fewer, all.
    machine : int
        How much of the resource of that name it holds, of which there is one: what is timed runs
        alone.
    priority, size : int
        What is started first: higher priority, then larger input (bytes).
    rule : str
        Which rule made it.
    """

    name: str
    seconds: float
    needs: Collection[str] = ()
    cores: int = 1
    machine: int = 0
    priority: int = 0
    size: int = 0
    rule: str = ""


@dataclass(frozen=True)
class Schedule:
    """When each job starts on ``cores`` cores, and what it waited for.

    ``start`` and ``after`` go by name. ``after`` holds the job whose end let a job start: the last
    of those that it needs or, if it was ready before, one that held the cores it was waiting for;
    None for what starts at once.
    """

    cores: int
    jobs: Mapping[str, Job] = field(repr=False)
    start: Mapping[str, float] = field(repr=False)
    after: Mapping[str, str | None] = field(repr=False)

    def end(self, name: str) -> float:
        """When a job ends."""
        return self.start[name] + self.jobs[name].seconds

    @cached_property
    def makespan(self) -> float:
        """When the last job ends."""
        return max(map(self.end, self.jobs), default=0.0)

    @cached_property
    def held(self) -> float:
        r"""Share of the cores' time that jobs hold, :math:`\sum_j s_j c_j / (c T)`."""
        return self._share(sum(job.seconds * min(job.cores, self.cores) for job in self._all))

    @cached_property
    def utilisation(self) -> float:
        r"""Share of the cores' time in which one computes, :math:`\sum_j s_j / (c T)`.

        Every job of the workflow computes with one thread; that a timed one holds all cores keeps
        them idle.
        """
        return self._share(sum(job.seconds for job in self._all))

    @cached_property
    def chain(self) -> list[Job]:
        """Jobs that one after the other fill the time from the start to the end of the run.

        Each waited for the one before it, for its files or for its cores. To shorten the run, one
        of these has to be shortened, or split.
        """
        return _backwards(max(self.jobs, key=self.end, default=None), self.after, self.jobs)

    @property
    def _all(self) -> Iterable[Job]:
        return self.jobs.values()

    def _share(self, core_seconds: float) -> float:
        return core_seconds / (self.cores * self.makespan) if self.makespan else 1.0


def simulate(jobs: Iterable[Job], cores: int) -> Schedule:
    """Let Snakemake's greedy scheduler run ``jobs`` on ``cores`` cores.

    O(j log j) for the ends of j jobs, and a sort of what is ready at each of them.

    Raises
    ------
    ValueError
        If ``cores`` is not positive, a name occurs twice, a job needs one that is not there, or
        itself by way of others, or lasts no finite time.
    """
    if cores < 1:
        raise ValueError(f"cores must be at least 1, not {cores}")
    every = _by_name(jobs)
    waiting = _in_order(every)
    ready = [every[name] for name in waiting.get_ready()]
    start: dict[str, float] = {}
    after: dict[str, str | None] = {}
    ends: list[tuple[float, str]] = []
    now, free_cores, free_machine = 0.0, cores, 1
    ended: list[str] = []
    while True:
        chosen = greedy(ready, free_cores, free_machine, cores)
        for job in chosen:
            start[job.name] = now
            needed = [name for name in ended if name in job.needs]
            after[job.name] = next(iter(needed or ended), None)
            heapq.heappush(ends, (now + job.seconds, job.name))
            free_cores -= min(job.cores, cores)
            free_machine -= job.machine
        if not ends:
            return Schedule(cores, every, start, after)
        now, ended = ends[0][0], []
        while ends and ends[0][0] == now:
            ended.append(heapq.heappop(ends)[1])
        free_cores += sum(min(every[name].cores, cores) for name in ended)
        free_machine += sum(every[name].machine for name in ended)
        waiting.done(*ended)
        ready = [job for job in ready if job.name not in start]
        ready += [every[name] for name in waiting.get_ready()]


def share_machine(jobs: Iterable[Job], cores: int) -> list[Job]:
    """The same jobs, where those that run alone hold ``cores`` cores instead of the machine."""
    return [replace(job, cores=cores, machine=0) if job.machine else job for job in jobs]


def greedy(ready: Iterable[Job], free_cores: int, free_machine: int, cores: int) -> list[Job]:
    """Which jobs to start: by priority, then size (then name), all that still fit.

    On a machine with ``cores`` cores, of which ``free_cores`` are free.
    """
    chosen = []
    for job in sorted(ready, key=lambda job: (-job.priority, -job.size, job.name)):
        wanted = min(job.cores, cores)
        if wanted <= free_cores and job.machine <= free_machine:
            chosen.append(job)
            free_cores -= wanted
            free_machine -= job.machine
    return chosen


def critical_path(jobs: Iterable[Job]) -> list[Job]:
    """The longest chain of jobs that need one another: no number of cores makes a run shorter."""
    every = _by_name(jobs)
    end: dict[str, float] = {}
    before: dict[str, str | None] = {}
    waiting = _in_order(every)
    while waiting.is_active():
        for name in waiting.get_ready():
            first = max(every[name].needs, key=end.__getitem__, default=None)
            before[name] = first
            end[name] = every[name].seconds + (0.0 if first is None else end[first])
            waiting.done(name)
    return _backwards(max(end, key=end.__getitem__, default=None), before, every)


def _backwards(
    last: str | None, before: Mapping[str, str | None], every: Mapping[str, Job]
) -> list[Job]:
    """The chain that ends with ``last``."""
    chain = []
    while last is not None:
        chain.append(every[last])
        last = before[last]
    return chain[::-1]


def _by_name(jobs: Iterable[Job]) -> dict[str, Job]:
    every: dict[str, Job] = {}
    for job in jobs:
        if job.name in every:
            raise ValueError(f"jobs must have names of their own: {job.name!r} occurs twice")
        if not 0 <= job.seconds < math.inf:
            raise ValueError(f"seconds of {job.name!r} must be finite and >= 0, not {job.seconds}")
        if job.cores < 0 or job.machine not in (0, 1):
            raise ValueError(
                f"{job.name!r} must hold >= 0 cores and 0 or 1 machine, not {job.cores} and "
                f"{job.machine}"
            )
        every[job.name] = job
    for job in every.values():
        for need in job.needs:
            if need not in every:
                raise ValueError(f"{job.name!r} needs {need!r}, which is not among the jobs")
    return every


def _in_order(every: Mapping[str, Job]) -> TopologicalSorter[str]:
    """Hands out the names of jobs as those that they need are done."""
    sorter = TopologicalSorter({name: job.needs for name, job in every.items()})
    try:
        sorter.prepare()
    except CycleError as error:
        raise ValueError(f"{error.args[1][0]!r} needs itself, by way of other jobs") from None
    return sorter

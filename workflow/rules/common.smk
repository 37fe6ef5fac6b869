"""What the rooms share: the axes of the experiment, code as an input, sizes of jobs."""

from ccc.config import reduction
from ccc.sources import package_files

METHODS = ["proposed"]
SYNTHETIC = config["synthetic"]


wildcard_constraints:
    design="contradicting|agreeing",
    d=r"\d+",
    n=r"\d+",
    rep=r"\d+",
    method="|".join(METHODS),


REPETITIONS = range(SYNTHETIC["repetitions"])

# Every caption and table of a reduced run says what was left out.
REDUCTION = reduction(config)


def code_of(script):
    """The files of the package that a script in workflow/scripts uses, so that edits rerun it."""
    return package_files(f"{workflow.basedir}/workflow/scripts/{script}.py")


def megabytes(wildcards, copies):
    """Memory for a job that holds X (n × d, in doubles) ``copies`` times, beside the interpreter."""
    return 500 + copies * int(wildcards.n) * int(wildcards.d) * 8 // 10**6

"""Convex covariate clustering for classification: the paper's experiments, from data to tables.

snakemake --cores all                                       the paper's settings
snakemake --cores all synthetic                             of these, one part: synthetic, runtime or real
snakemake --cores all --configfile config/quick.yaml        the same rules, small
"""

from snakemake.utils import min_version

from ccc.config import check_config, check_runtime, check_writable
from ccc.locks import RunLocks
from ccc.start import with_a_look_around

min_version("9.19")


configfile: "config/config.yaml"


check_config(config, f"{workflow.basedir}/workflow/schemas/config.schema.yaml")
check_runtime(config)
check_writable(f"results/{config['run']}")

locks = RunLocks()
if workflow.is_main_process:
    workflow.execute = with_a_look_around(workflow.execute, locks, f"results/{config['run']}")


pathvars:
    results=f"results/{config['run']}",
    logs=f"results/{config['run']}/logs",
    benchmarks=f"results/{config['run']}/benchmarks",


# By now Snakemake has locked what this run writes.
#
# With a limit on the rate of jobs (by default 100 a second), Snakemake's scheduler looks at all waiting
# jobs once a second for every job that has finished, and soon does little else. On one machine the
# number of cores is limit enough.
onstart:
    locks.started()
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/synthetic.smk"
include: "workflow/rules/similarity.smk"
include: "workflow/rules/paths.smk"
include: "workflow/rules/selection.smk"
include: "workflow/rules/corpora.smk"
include: "workflow/rules/text.smk"
include: "workflow/rules/runtime.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/real_tables.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/reproduction.smk"
include: "workflow/rules/trees.smk"


rule all:
    """Everything: the files of every room, so that one that was deleted is made again."""
    default_target: True
    input:
        rules.data.input,
        rules.similarities.input,
        rules.paths.input,
        rules.selections.input,
        rules.corpora.input,
        rules.words.input,
        rules.runtimes.input,
        rules.tables.input,
        rules.real_tables.input,
        rules.figures.input,
        rules.reproduction.output if COMPLETE else [],
        rules.trees.input,
    localrule: True


rule synthetic:
    """Section 4 without the runtimes, and the appendix."""
    input:
        expand(
            "<results>/tables/{table}.{kind}",
            table=SYNTHETIC_TABLES,
            kind=TABLE_KINDS,
        ),
        expand(
            "<results>/figures/{figure}.{kind}",
            figure=SYNTHETIC_FIGURES,
            kind=["pdf", "png"],
        ),
    localrule: True


rule runtime:
    """Section 4.1."""
    input:
        expand("<results>/tables/{table}.{kind}", table=RUNTIME_TABLES, kind=TABLE_KINDS),
        expand(
            "<results>/figures/runtime_{what}.{kind}",
            what=["scaling", "accuracy"],
            kind=["pdf", "png"],
        ),
    localrule: True


rule real:
    """Section 5."""
    input:
        rules.real_tables.input,
        expand("<results>/figures/{figure}.{kind}", figure=REAL_FIGURES, kind=["pdf", "png"]),
        rules.trees.input,
    localrule: True

"""What the rooms share: the axes of the experiment, code as an input, sizes of jobs."""

from ccc.config import reduction, reductions, shared, studies, text_changes, text_remarks
from ccc.sources import package_files

# The main experiment, "synthetic", and its variants.
STUDIES = studies(config)
SYNTHETIC = STUDIES["synthetic"]
VARIANTS = [study for study in STUDIES if study != "synthetic"]
REPETITIONS = range(SYNTHETIC["repetitions"])
SIGMA_RULE, *OTHER_SIGMA_RULES = config["selection"]["sigma_rules"]
CV_SCORE = config["selection"]["cross_validation"]["score"]
CV_D, CV_N = (
    [size for size in SYNTHETIC[axis] if size in config["selection"]["cross_validation"][axis]]
    for axis in ("d", "n")
)

RUNTIME = config["runtime"]
ACCURACY = RUNTIME["accuracy"]

# Section 5.
TEXT = config["corpora"]
CORPORA = list(TEXT["embeddings"])
SOURCE = {"source": TEXT["source"], "local": TEXT["local"]}
WORD_METHODS = ["proposed", "convex", "kmeans", "none"]
TREES = TEXT["trees"]
TREE_METHODS = ["proposed", "convex", "kmeans"]
# Excerpts of trees, one for each corpus, set of words and method.
EXCERPTS = [
    {"corpus": corpus, "excerpt": excerpt, "method": method, "words": shown["words"]}
    for corpus in CORPORA
    for excerpt, shown in TREES["excerpts"].get(corpus, {}).items()
    for method in shown["methods"]
]
# How many jobs share the grid of a method, and the scoring of its clusterings: one for the sample.
# None goes without a value of the grid; one without a clustering to score has nothing to do.
STRETCHES = min(4, max(1, config["nu_grid"]["count"] // 2))
GAMMAS = config["convex"]["max"] * config["convex"]["per_unit"] + 1
PARTS = {"proposed": STRETCHES, "tighter": STRETCHES, "convex": min(5, GAMMAS), "kmeans": 10}
SCORE_PARTS = {"proposed": 6, "convex": 6, "kmeans": 12, "none": 1}
if TEXT["source"] == "sample":
    PARTS, SCORE_PARTS = dict.fromkeys(PARTS, 1), dict.fromkeys(SCORE_PARTS, 1)

# Studies that draw the same data, or estimate the same S from them, share the files of the first.
OWN = {study: study for study in STUDIES}
DRAWS = shared(STUDIES, "weights")
GRAPHS = shared(STUDIES, "weights", "similarity")
DRAWN, ESTIMATED = (list(dict.fromkeys(made_in.values())) for made_in in (DRAWS, GRAPHS))

# The repetitions of a cell share a job, which takes two seconds to start. Where a path takes longer
# than that, at large d or by the ADMM, it is a job of its own.
SIZES = {d for study in STUDIES.values() for d in study["d"]}
SMALL, LARGE = ([d for d in SIZES if (d > 200) == large] for large in (False, True))
FAST = [study for study, settings in STUDIES.items() if settings["solver"] == "exact"]


def any_of(values):
    """A regular expression for a wildcard with one of these values."""
    return "|".join(str(value) for value in values) or "none"


wildcard_constraints:
    study="|".join(STUDIES),
    design="contradicting|agreeing",
    d=r"\d+",
    n=r"\d+",
    rep=r"\d+",
    method="|".join(SYNTHETIC["methods"]),
    solver="|".join(RUNTIME["solvers"]),
    corpus=any_of(CORPORA),
    part=r"\d+",


# Every caption and table of a reduced run says what was left out.
REDUCTION = reduction(config)
TEXT_REMARKS = text_remarks(config)


def cells(pattern, studies=STUDIES, **more):
    """Files of all designs and sizes of these studies; ``more`` gives further wildcards."""
    return [
        file
        for study in studies
        for file in expand(
            pattern,
            study=study,
            design=STUDIES[study]["designs"],
            d=STUDIES[study]["d"],
            n=STUDIES[study]["n"],
            **({"method": STUDIES[study]["methods"]} | more),
        )
    ]


def repetitions_of(name, made_in=OWN):
    """Input function: file ``name`` of every repetition in a job, from the study that makes it."""

    def files(wildcards):
        folder = f"<results>/{made_in[wildcards.study]}/{{design}}/d{{d}}_n{{n}}/rep{{rep}}"
        own = {key: value for key, value in wildcards.items() if key != "study"}
        return expand(f"{folder}/{name}", **({"rep": REPETITIONS} | own))

    return files


def selections_of(wildcards):
    """Input function: what was selected from the paths of a cell, by each criterion in turn."""
    criteria = ["evidence"]
    if wildcards.study == "synthetic":
        if wildcards.method == "proposed":
            criteria += [f"evidence_{rule}" for rule in OTHER_SIGMA_RULES]
    if cross_validated(wildcards):
        criteria += ["cv_accuracy", "cv_log_probability"]
    names = [f"{wildcards.method}_{criterion}.npz" for criterion in criteria]
    return [file for name in names for file in repetitions_of(name)(wildcards)]


def fold_gaps_of(wildcards):
    """Input function: the duality gaps of the paths that cross-validation made in its folds."""
    if not cross_validated(wildcards):
        return []
    return repetitions_of("{method}_cv_gaps.npz")(wildcards)


def cross_validated(wildcards):
    """Whether cross-validation is run in a cell of a study."""
    return wildcards.study == "synthetic" and int(wildcards.d) in CV_D and int(wildcards.n) in CV_N


def settings_of(method, study="synthetic"):
    """What a clustering method is told, beside its data."""
    solver = config["solver"] | {"method": STUDIES[study]["solver"]}
    return {
        "proposed": {"nu_grid": config["nu_grid"], "solver": solver},
        "kmeans": {"seed": SYNTHETIC["seed"]},
        "convex": config["convex"],
    }[method]


# What is enough to reach every kernel of a method.
COARSE = {
    "proposed": {"nu_grid": {"count": 30, "step": 1.0}},
    "kmeans": {},
    "convex": {"per_unit": 2},
}


def glove_of(wildcards):
    """Input function: published embeddings, for a corpus that uses them."""
    method = TEXT["embeddings"][wildcards.corpus]["method"]
    return f"<results>/text/{wildcards.corpus}/glove.json" if method == "glove" else []


def code_of(script):
    """The files of the package that a script in workflow/scripts uses, so that edits rerun it."""
    return package_files(f"{workflow.basedir}/workflow/scripts/{script}.py")


def megabytes(wildcards, copies):
    """Memory for a job that holds X (n × d, in doubles) ``copies`` times, beside the interpreter."""
    return 500 + copies * int(wildcards.n) * int(wildcards.d) * 8 // 10**6


def timing_setting(wildcards, key):
    """``repetitions`` or ``seconds`` of a solver at the d and n of a job."""
    values = RUNTIME["solvers"][wildcards.solver][key]
    row, column = (RUNTIME[axis].index(int(wildcards[axis])) for axis in ("d", "n"))
    return values[row][column]


def timed_repetitions(name):
    """Input function: file ``name`` of the repetitions that are timed with a solver."""

    def files(wildcards):
        folder = f"<results>/{{study}}/{RUNTIME['design']}/d{{d}}_n{{n}}/rep{{rep}}"
        made_in = {"data.npz": DRAWS, "similarity.npz": GRAPHS}[name]["synthetic"]
        return expand(
            f"{folder}/{name}",
            study=made_in,
            d=wildcards.d,
            n=wildcards.n,
            rep=range(timing_setting(wildcards, "repetitions")),
        )

    return files


def minutes_of_timing(wildcards):
    """The longest that all repetitions of a job can take."""
    each = timing_setting(wildcards, "seconds") + RUNTIME["setup_seconds"]
    return 10 + round(timing_setting(wildcards, "repetitions") * each / 60)


TIMED_ALONE = RUNTIME["cores"] == "all"


def cores_of_timing(wildcards):
    """Nothing else shall run beside a timed job, or near it: on one machine it holds more than its core.

    On a cluster it has a node to itself (profiles/slurm), of which it needs one core. This is read
    again within the job, where all cores that can be seen need not be those of the job.
    """
    if workflow.remote_exec or not workflow.local_exec:
        return 1
    cores = workflow.resource_settings.cores or 1
    return cores if TIMED_ALONE else min(cores, RUNTIME["cores"])

"""Corpora: from archives to covariates (Section 5 and the appendix).

Requires  an archive of each corpus: in the folder of the config's corpora.local or of CCC_DATA, or
          downloaded to resources/; or nothing, for the sample corpora
Produces  <results>/text/{corpus}/archive.json, glove.json
          <results>/text/{corpus}/documents.npz, tokens.npz, features.npz
          <results>/text/{corpus}/vectors.npz, group_lasso.npz, sigma_all.npz, covariates.csv
          <results>/text/{corpus}/problem.npz, similarity.npz
"""

# All clusterings of a corpus wait for these jobs, the longest of which takes half an hour.
CORPUS_FIRST = 2


rule corpora:
    """The covariates of every corpus and their similarities."""
    input:
        expand(
            "<results>/text/{corpus}/{file}",
            corpus=CORPORA,
            file=["problem.npz", "similarity.npz", "covariates.csv"],
        ),
    localrule: True


rule corpus_archive:
    """Where the archive is: a local copy, recognised by its checksum, or else a download."""
    input:
        code=code_of("corpus_archive"),
    output:
        archive="<results>/text/{corpus}/archive.json",
    log:
        "<logs>/corpus_archive/{corpus}.log",
    benchmark:
        "<benchmarks>/corpus_archive/{corpus}.jsonl"
    # Where there is a network: a node of a cluster may have none.
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 500,
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        **SOURCE,
        corpus=lambda wildcards: wildcards.corpus,
    script:
        "../scripts/corpus_archive.py"


rule glove_archive:
    """Where published embeddings are: like the archive of a corpus."""
    input:
        code=code_of("glove_archive"),
    output:
        archive="<results>/text/{corpus}/glove.json",
    log:
        "<logs>/glove_archive/{corpus}.log",
    benchmark:
        "<benchmarks>/glove_archive/{corpus}.jsonl"
    # Where there is a network: a node of a cluster may have none.
    localrule: True
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 500,
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        **SOURCE,
        dimension=lambda wildcards: TEXT["embeddings"][wildcards.corpus]["dimension"],
    script:
        "../scripts/glove_archive.py"


rule corpus_tokens:
    """Documents without duplicates, as sequences of stems."""
    input:
        archive="<results>/text/{corpus}/archive.json",
        code=code_of("corpus_tokens"),
    output:
        tokens="<results>/text/{corpus}/tokens.npz",
        documents="<results>/text/{corpus}/documents.npz",
    log:
        "<logs>/corpus_tokens/{corpus}.log",
    benchmark:
        "<benchmarks>/corpus_tokens/{corpus}.jsonl"
    priority: CORPUS_FIRST
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 3000,
        runtime=lambda wildcards, attempt: attempt * 20,
    params:
        corpus=lambda wildcards: wildcards.corpus,
    script:
        "../scripts/corpus_tokens.py"


rule text_features:
    """tf-idf of the most frequent words, documents split into those to learn from and the others."""
    input:
        tokens="<results>/text/{corpus}/tokens.npz",
        documents="<results>/text/{corpus}/documents.npz",
        code=code_of("text_features"),
    output:
        features="<results>/text/{corpus}/features.npz",
    log:
        "<logs>/text_features/{corpus}.log",
    benchmark:
        "<benchmarks>/text_features/{corpus}.jsonl"
    priority: CORPUS_FIRST
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 3000,
        runtime=lambda wildcards, attempt: attempt * 10,
    params:
        settings={key: TEXT[key] for key in ("vocabulary", "n_train", "statistics", "seed")},
    script:
        "../scripts/text_features.py"


rule word_vectors:
    """An embedding of every word: trained on the corpus itself, or published."""
    input:
        tokens="<results>/text/{corpus}/tokens.npz",
        documents="<results>/text/{corpus}/documents.npz",
        features="<results>/text/{corpus}/features.npz",
        glove=glove_of,
        code=code_of("word_vectors"),
    output:
        vectors="<results>/text/{corpus}/vectors.npz",
    log:
        "<logs>/word_vectors/{corpus}.log",
    benchmark:
        "<benchmarks>/word_vectors/{corpus}.jsonl"
    priority: CORPUS_FIRST
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 3000,
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        embedding=lambda wildcards: TEXT["embeddings"][wildcards.corpus],
        seed=TEXT["seed"],
    script:
        "../scripts/word_vectors.py"


rule group_lasso:
    """Covariates that matter, for every γ."""
    input:
        features="<results>/text/{corpus}/features.npz",
        code=code_of("group_lasso"),
    output:
        path="<results>/text/{corpus}/group_lasso.npz",
    log:
        "<logs>/group_lasso/{corpus}.log",
    benchmark:
        "<benchmarks>/group_lasso/{corpus}.jsonl"
    priority: CORPUS_FIRST
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 3000,
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        grid=TEXT["gamma_grid"],
        solver={key: config["solver"][key] for key in ("ridge", "tol")},
    script:
        "../scripts/group_lasso.py"


rule sigma_all_words:
    """σ by cross-validation on all words, for the choice of covariates."""
    input:
        features="<results>/text/{corpus}/features.npz",
        code=code_of("text_sigma"),
    output:
        sigma="<results>/text/{corpus}/sigma_all.npz",
    log:
        "<logs>/sigma_all_words/{corpus}.log",
    benchmark:
        "<benchmarks>/sigma_all_words/{corpus}.jsonl"
    priority: CORPUS_FIRST
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 4000,
        runtime=lambda wildcards, attempt: attempt * 120,
    script:
        "../scripts/text_sigma.py"


rule covariates:
    """The covariates with the highest evidence that have an embedding, and their similarities."""
    input:
        features="<results>/text/{corpus}/features.npz",
        path="<results>/text/{corpus}/group_lasso.npz",
        sigma="<results>/text/{corpus}/sigma_all.npz",
        vectors="<results>/text/{corpus}/vectors.npz",
        code=code_of("covariates"),
    output:
        scores="<results>/text/{corpus}/covariates.csv",
        problem="<results>/text/{corpus}/problem.npz",
        similarity="<results>/text/{corpus}/similarity.npz",
    log:
        "<logs>/covariates/{corpus}.log",
    benchmark:
        "<benchmarks>/covariates/{corpus}.jsonl"
    priority: CORPUS_FIRST
    conda:
        "../../envs/ccc.yaml"
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * 4000,
        runtime=lambda wildcards, attempt: attempt * 120,
    params:
        normalise=TEXT["normalise"],
    script:
        "../scripts/covariates.py"

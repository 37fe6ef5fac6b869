#!/bin/bash
# Run by Snakemake in the folder of the repository, inside the new conda environment.
set -eu
pip install --no-deps --no-build-isolation --editable .

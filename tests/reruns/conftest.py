"""Copies of the repository and the quick run, as for the tests of the workflow."""

from tests.workflow.conftest import copy_of_repository, quick

__all__ = ["copy_of_repository", "quick"]

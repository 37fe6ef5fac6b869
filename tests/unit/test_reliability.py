"""The numbers of hostile cases in docs/reliability.md are those of the tests."""

import math
import re

import pytest

from tests.unit import (
    test_archives,
    test_config,
    test_hostile,
    test_magnitude,
    test_public_calls,
    test_validation,
)
from tests.workflow import test_mistakes

ARCHIVES = """
a_name_that_leads_out_is_refused links_and_devices_are_passed_over
a_member_beyond_the_limit_is_refused_unless_it_is_not_wanted
a_bomb_is_refused_at_the_limit_of_all_members a_bomb_behind_the_archive_is_refused
a_name_of_megabytes_is_refused an_archive_cut_anywhere_is_refused_with_the_last_member
an_archive_cut_between_two_members_is_refused a_damaged_header_is_not_the_end
an_altered_byte_is_noticed what_is_no_archive_is_refused lines_have_limits
truncated_lines_are_counted
"""
CONFIGURATION = [
    test_config.test_a_mistake_is_one_line_that_names_the_key,
    test_config.test_runtime_experiments_need_data_and_limits,
    test_config.test_a_missing_key_is_named_and_explained,
    test_mistakes.test_a_typo_in_the_configuration,
    test_mistakes.test_a_configuration_with_code_in_it_is_refused_and_not_run,
]


def lists(test):
    """The lists of parameters that pytest runs a function over, by their names."""
    marks = [mark for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
    return {str(mark.args[0]): mark.args[1] for mark in marks}


def cases(test):
    """How often pytest runs a function."""
    return math.prod(map(len, lists(test).values()))


# How each row of the table begins, and the tests that it counts.
ROWS = {
    "X and S as integers": [
        test_hostile.test_any_form_of_X_gives_what_plain_doubles_give,
        test_hostile.test_any_form_of_S_gives_what_plain_doubles_give,
    ],
    "The same for every matrix": [
        test_public_calls.test_any_form_of_a_matrix_gives_what_plain_doubles_give_in_any_call
    ],
    "Labels": [
        test_hostile.test_any_labels_that_can_be_ordered,
        test_hostile.test_labels_without_order_are_refused,
    ],
    "One covariate": [test_hostile.test_odd_shapes_are_solved_at_any_nu],
    "The like, and no rows": [
        test_public_calls.test_odd_shapes_give_numbers_or_are_refused_by_name
    ],
    "X, S, ridge and ν": [
        test_hostile.test_X_of_any_size_is_solved_or_refused_by_name,
        test_hostile.test_S_of_any_size_is_solved,
        test_hostile.test_a_ridge_of_any_size_is_solved_or_refused_by_name,
        test_hostile.test_beside_sparsity_only_nu_times_S_counts,
        test_hostile.test_similarities_far_apart_are_solved_or_refused_by_name,
    ],
    "Every number": [
        test_public_calls.test_arguments_of_any_size_give_numbers_or_are_refused_by_name
    ],
    "The same data": [
        test
        for name, test in vars(test_magnitude).items()
        if name.startswith("test_") and list(lists(test)) == ["scale"]
    ],
    "Columns far from zero": [
        test_hostile.test_columns_far_from_zero_are_solved_or_refused_by_name
    ],
    "NaN, infinity": [
        test_hostile.test_values_of_another_kind_are_refused_by_name,
        test_public_calls.test_every_public_call_refuses_bad_values_by_name,
        test_validation.test_bad_input_names_argument_and_value,
        test_validation.test_bad_grids,
        test_validation.test_bad_grid_arguments,
        test_validation.test_a_point_of_the_wrong_shape,
        test_validation.test_flows_of_the_wrong_shape,
    ],
    "Archives": [getattr(test_archives, f"test_{name}") for name in ARCHIVES.split()],
    "Configuration files": CONFIGURATION,
    "A mistake in the configuration": CONFIGURATION,
}


def stated(repository, row):
    text = (repository / "docs/reliability.md").read_text()
    (line,) = [line for line in text.splitlines() if line.startswith(f"| {row}")]
    return line.split("|")[2].strip()


@pytest.mark.parametrize("row", ROWS)
def test_counts_are_those_of_the_tests(repository, row):
    assert stated(repository, row) == str(sum(map(cases, ROWS[row])))


def test_the_counts_of_random_problems_and_functions(repository):
    assert re.match(rf"2 × {test_hostile.EXAMPLES} ", stated(repository, "Random problems"))
    text = (repository / "docs/reliability.md").read_text()
    assert f"of {len(test_public_calls.CALLS) + 1} public functions" in text

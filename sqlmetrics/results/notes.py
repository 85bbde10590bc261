"""The notes below a result: the counts that its reader should know."""

from __future__ import annotations

from collections.abc import Callable

#: count -> its sentence
NOTES = {
    "rows_dropped": "rows dropped: {} (on_bad_rows='drop')",
    "rows_zero_target": "rows of label 0, left out of percentage errors: {}",
    "rows_graded": "rows with a label above 0 other than 1: {}; labels from 1 on count as relevant;"
    " change it with positive=",
    "rows_without_truth": "rows left out, their group has no truth: {}",
    "rows_unjudged": "rows left out, nobody judged them: {} (unjudged='drop')",
    "rows_duplicate": "rows left out, their group has the item already: {} (on_duplicate='first')",
    "items_rated_once": "items with a single rating: {}; they have no agreement, and their ratings count in the shares"
    " of values of fleiss and gwet alone",
    "n_unjudged": "listed items that nobody judged: {}",
    "classes_never_predicted": "classes never predicted, whose precision counts 0 in a mean: {}",
    "classes_without_label": "classes without a label, whose recall counts 0 in a mean: {}",
    "classes_without_examples": "classes without examples, left out of the mean: {}",
    "examples_not_summing_to_1": "examples whose class scores do not sum to 1: {}",
    "subsets_left_out": "groups of the sensitive column left out, they have no positive (or negative) rows: {}",
    "slices_separated": "slices without a calibration slope, of one class, equal scores, or separated classes: {}",
    "slopes_unfitted": "slices without a calibration slope, 12 steps of Newton's method found none: {}",
    "intercepts_unfitted": "slices without a calibration intercept, 12 steps of Newton's method found none: {}",
    "groups_empty": "groups without a relevant item: {}",
    "groups_single_class": "groups of a single class: {}",
    "groups_missing": "groups missing from the predictions: {}",
    "groups_tied": "groups with tied scores: {}",
}
#: how the counts begin of the lists in which a metric is undefined, although they have a relevant item
WITHOUT = "groups_without_"


def noted(count: Callable[[str], int], names: list[str], in_n_rows: bool = False) -> list[str]:
    """The counts in `NOTES` that are not 0, one line each, and those of lists in which a metric is undefined.

    Args:
        count: the number behind a name.
        names: the counts that there are.
        in_n_rows: whether a column n_rows counts the dropped rows; the note says so.
    """
    without = {
        name: f"groups without a value of {name.removeprefix(WITHOUT)}: {{}}"
        for name in names
        if name.startswith(WITHOUT)
    }
    notes = {name: NOTES[name] for name in NOTES if name in names} | without
    if in_n_rows and "rows_dropped" in notes:
        notes["rows_dropped"] = notes["rows_dropped"].replace("{}", "{}, which n_rows counts")
    numbers = [(name, count(name)) for name in notes]
    return [notes[name].format(f"{number:,}") for name, number in numbers if number]

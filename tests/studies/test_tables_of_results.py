"""Output of commands: tables that fit the terminal, and a summary of the verdicts."""

import re

import pytest

from strand.cli.output import print_report
from strand.draw.report import Report
from strand_studies.published.figures import figure
from strand_studies.validation import convergence

WIDTHS = (36, 60, 80, 200)


def printed(report: Report, width: int, monkeypatch, capsys) -> str:
    monkeypatch.setenv("COLUMNS", str(width))
    print_report(report)
    return capsys.readouterr().out


def example() -> Report:
    rows = [
        figure("2e+06 Pa, alone: tip x", 0.15982, "m", 0.16027, "original, loose"),
        figure("2e+06 Pa, alone: tip z", -0.0082287, "m", -0.0082262, "Verlet", 5e-5),
        figure("2e+08 Pa, round the sphere: nodes inside", 3, "1", 0, "nothing passes", 0),
        figure("2e+08 Pa, round the sphere: wraps", 432.8, "deg"),
    ]
    return Report("gripping", "Gripping", rows)


def wide() -> Report:
    rows = [
        {"case": "a1", "links": n, **{f"quite_long_name_{k}": k / n for k in range(12)}}
        | {"law": "angle", "error": 0.001 * n, "tolerance": 0.05, "passed": n < 50}
        for n in (40, 80)
    ]
    return Report("wide", "Wide", rows, judged="|error| <= tolerance")


def test_no_line_is_wider_than_the_terminal_and_nothing_is_lost(monkeypatch, capsys) -> None:
    for width in WIDTHS:
        for report in (example(), wide()):
            text = printed(report, width, monkeypatch, capsys)
            assert max(map(len, text.splitlines())) <= width
            assert "…" not in text
            joined = re.sub(r"\s+", "", text)
            for row in report.results:
                for value in row.values():
                    if isinstance(value, float):
                        assert f"{value:.5g}" in joined


def test_figures_of_an_example_fit_one_table_of_80_columns(monkeypatch, capsys) -> None:
    text = printed(example(), 80, monkeypatch, capsys)
    lines = text.splitlines()
    (header,) = [line for line in lines if line.startswith("figure")]
    assert header.split() == [
        "figure",
        "value",
        "unit",
        "reference",
        "source",
        "tolerance",
        "passed",
    ]
    assert lines.count("2e+06 Pa, alone") == 1  # a heading for the common part of figures
    (row,) = [line for line in lines if line.startswith("tip x")]
    assert row.split() == ["tip", "x", "0.15982", "m", "0.16027", "original,", "loose", "-", "-"]


def test_rows_are_named_in_every_part_of_a_split_table(monkeypatch, capsys) -> None:
    lines = printed(wide(), 60, monkeypatch, capsys).splitlines()
    parts = sum(line.startswith("─") for line in lines)
    assert parts > 1
    assert sum(bool(re.match(r"a1|case|  *(40|80) ", line)) for line in lines) >= parts


def test_values_common_to_all_rows_are_printed_once(monkeypatch, capsys) -> None:
    text = printed(wide(), 200, monkeypatch, capsys)
    assert text.count("angle") == 1
    assert "All rows: case a1," in text and "law angle" in text


def test_the_summary_lists_what_was_judged_and_what_failed() -> None:
    lines = example().summary()
    assert lines[0] == "Judged (passed: yes or NO): |value - reference| <= tolerance."
    assert lines[1] == "value (1 row) is only reported: off reference by -0.28 %."
    assert lines[2].startswith("Not passed: 2e+08 Pa, round the sphere: nodes inside: value 3, ")
    assert lines[3:] == ["FAILED: 1 of 2 checks passed; 2 more rows are not judged."]


def test_a_wrong_peak_is_reported_beside_passed_figures() -> None:
    row = {"segments": 40, "error": 0.018, "phi0": 0.6245, "phi0_theory": 0.9185}
    rows = [row | {"tolerance": 0.02, "passed": True}]
    judged, reported = "error <= tolerance", {"phi0": "phi0_theory"}
    lines = Report("lhb", "Buckling", rows, judged=judged, reported=reported).summary()
    assert lines[1] == "phi0 is only reported: off phi0 theory by -32 %."
    assert lines[2] == "PASSED: 1 of 1 check passed."


def test_without_a_tolerance_nothing_is_reported_as_passed() -> None:
    lines = Report("x", "X", [figure("length", 1.0, "m")]).summary()
    assert lines == ["No checks: nothing here has a reference with a tolerance."]


@pytest.mark.parametrize("key", ("error", "tolerance", "slope", "least"))
def test_words_name_the_columns_that_decide(key: str) -> None:
    rows = [
        {"segments": n, "error": 1 / n**2, **convergence.judge(1 / n**2, n)} for n in (20, 40, 80)
    ]
    rows = [row | {"curvature": "angle"} for row in rows]
    rows += convergence.slopes(rows, "curvature")
    assert key in convergence.JUDGED and any(key in row for row in rows)

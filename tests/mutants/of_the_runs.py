"""What a person is asked and told of a run, broken where it could deceive."""

from __future__ import annotations

from tests.mutants.fault import Fault

REPORT = "tests/orchestrator/pipelines/test_report.py"
TABLE = "tests/orchestrator/words/test_table.py"

FAULTS = (
    Fault(
        "the question about a merge does not say which files it changes",
        "orchestrator/pipelines/closing.py",
        '"", *files, "", look))',
        '"", look))',
        (f"{REPORT}::test_the_question_about_a_merge_names_what_would_be_done_and_how_to_look_first",),
    ),
    Fault(
        "what a reviewer says is no quotation in the report",
        "orchestrator/pipelines/report.py",
        'yield from (f"## {head}", "", quoted(text), "")',
        'yield from (f"## {head}", "", text, "")',
        (f"{REPORT}::test_no_text_of_an_agent_is_a_heading_of_the_report",),
    ),
    Fault(
        "a command on several lines is several lines of the report",
        "orchestrator/pipelines/report.py",
        'return " ".join(text.split())',
        "return text",
        (f"{REPORT}::test_it_tells_everything_in_order",),
    ),
    Fault(
        "a verdict in the table is not escaped",
        "orchestrator/words/table.py",
        "says = one_line(words.told(row.says))",
        "says = words.told(row.says)",
        (f"{TABLE}::test_what_agents_say_and_are_called_is_escaped",),
    ),
)

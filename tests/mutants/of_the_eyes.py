"""Faults of the eyes: a shell command read otherwise than bash does, a harm that is overlooked."""

from __future__ import annotations

from tests.mutants.fault import Fault

CASES = "tests/consent/danger/test_programs.py"
READING = "tests/consent/danger/test_reading.py"
PLACES = "tests/consent/danger/test_places.py"
CORPUS = "tests/consent/danger/test_corpus.py"

FAULTS = (
    Fault(
        "a single quote inside double quotes and braces is plain text",
        "consent/shell/words.py",
        """if quoted and cursor.sees("'"):
                cursor.stop()""",
        """if quoted and cursor.sees("'"):
                cursor.at += 1""",
        (READING,),
    ),
    Fault(
        "a line that a backslash joins ends a here-document",
        "consent/shell/documents.py",
        "while not due.literal and _continues(text, at, end):",
        "while False:",
        (READING,),
    ),
    Fault(
        "a here-document of an outer command is read inside a substitution",
        "consent/shell/line.py",
        "due, self.due = self.due, []\n        yield",
        "due = self.due\n        yield",
        (READING,),
    ),
    Fault(
        "what does not parse is quiet",
        "consent/danger/walk.py",
        "if self.effort.trouble:",
        "if self.effort.trouble and False:",
        (READING,),
    ),
    Fault(
        "only the first command of a pipeline is looked at",
        "consent/danger/assess.py",
        "for command in pipeline.commands:\n            self._command",
        "for command in pipeline.commands[:1]:\n            self._command",
        (CORPUS,),
    ),
    Fault(
        "the last harm counts, not the worst",
        "consent/danger/walk.py",
        "if self._worst is None or _rank(harm) > _rank(self._worst):",
        "if True:",
        (CASES,),
    ),
    Fault(
        "an unknown program runs none of its arguments",
        "consent/danger/running.py",
        "            self._unknown(program, fed)\n",
        "            pass\n",
        (CORPUS,),
    ),
    Fault(
        "what is fetched may go through a program in between",
        "consent/danger/assess.py",
        "fed = Fed.FETCHED if fed is Fed.FETCHED or walk.fetched.by(command) else Fed.PIPE",
        "fed = Fed.FETCHED if walk.fetched.by(command) else Fed.PIPE",
        (CASES,),
    ),
    Fault(
        "a computed text for a shell is taken as it stands",
        "consent/danger/running.py",
        "if not word.known:",
        "if False:",
        (CASES,),
    ),
    Fault(
        "what cannot be known is not there",
        "consent/danger/scene.py",
        "not self._effort.spend(_LOOK):\n            return True",
        "not self._effort.spend(_LOOK):\n            return False",
        (PLACES,),
    ),
    Fault(
        "a substitution takes the command to another folder",
        "consent/danger/assess.py",
        "                scene.folders = folders\n",
        "                pass\n",
        (CASES,),
    ),
    Fault(
        "links are not followed to critical files",
        "consent/danger/paths.py",
        "found = (plain, normal(looks.real(path)), normal(looks.real(plain)))",
        "found = (plain,)",
        (PLACES,),
    ),
    Fault(
        "dots are only taken before links are followed",
        "consent/danger/paths.py",
        "normal(looks.real(path)), normal",
        "normal",
        (PLACES,),
    ),
    Fault(
        "accents are compared as they are written",
        "consent/danger/paths.py",
        'return normalize("NFC", ',
        "return (",
        (PLACES,),
    ),
    Fault(
        "what decides is safe inside a folder that is deleted",
        "consent/danger/paths.py",
        "or (whole and _within(each, path))",
        "or False",
        (PLACES,),
    ),
    Fault(
        "calls are decided without a look",
        "orchestrator/desk.py",
        "marked = self._look(call)",
        "marked = call",
        ("tests/orchestrator/test_marks.py",),
    ),
    Fault(
        "an own command that nobody can read whole is no doubt",
        "orchestrator/tools/base.py",
        "        doubts=seen.doubts,\n",
        "",
        ("tests/orchestrator/tools/test_bash.py",),
    ),
)

"""Faults of the eyes: a shell command read otherwise than bash does, a harm that is overlooked."""

from __future__ import annotations

from tests.mutants.fault import Fault

CASES = "tests/consent/danger/test_programs.py"
READING = "tests/consent/danger/test_reading.py"
PLACES = "tests/consent/danger/test_places.py"
CORPUS = "tests/consent/danger/test_corpus.py"
BRACES = "tests/consent/danger/test_braces.py"
DISGUISES = "tests/consent/danger/test_disguises.py"
NAMED = "tests/orchestrator/test_named.py"
MARKS = "tests/orchestrator/test_marks.py"
DISK = "tests/orchestrator/test_disk.py"

FAULTS = (
    Fault(
        "a call that says it deletes is marked only where a known field names its file",
        "orchestrator/marks.py",
        "        if self.call.kind in _BY_KIND:\n            named",
        "        if self.call.kind in _BY_KIND and self.names.files:\n            named",
        (MARKS,),
    ),
    Fault(
        "what executes is read only behind the names of commands",
        "orchestrator/marks.py",
        "*(self.names.texts if lone else ())",
        "",
        (MARKS,),
    ),
    Fault(
        "of an option that is given twice, only the last value counts",
        "consent/danger/wrappers.py",
        "yield from given.values(*_SHELL_TEXT[name].split())",
        "yield from given.values(*_SHELL_TEXT[name].split())[-1:]",
        (DISGUISES,),
    ),
    Fault(
        "a value is found only behind an option that is written out",
        "consent/danger/options.py",
        "if any(is_short_for(given, name) for name in names)",
        "if given in names",
        (DISGUISES,),
    ),
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
        "exists, each)) or self._effort.spent",
        "exists, each))",
        (READING,),
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
        "braces mean themselves",
        "consent/danger/running.py",
        "*walk.spread(words[1:])",
        "*words[1:]",
        (BRACES,),
    ),
    Fault(
        "a wildcard means only itself",
        "consent/danger/wild.py",
        'self.wild = "*" in text or "?" in text or "[" in text',
        "self.wild = False",
        (BRACES,),
    ),
    Fault(
        "a long option that is cut short is another one",
        "consent/danger/options.py",
        "return given == name or (",
        "return given == name or False and (",
        (DISGUISES,),
    ),
    Fault(
        "only a shell runs what it reads",
        "consent/danger/running.py",
        "if last and takes_commands(last):",
        "if False:",
        (DISGUISES,),
    ),
    Fault(
        "what other commands write for a shell is a file like any other",
        "consent/danger/running.py",
        "if made or _DESCRIPTOR",
        "if _DESCRIPTOR",
        (DISGUISES,),
    ),
    Fault(
        "what xargs reads runs nothing",
        "consent/danger/wrappers.py",
        "return (*given.operands, xargs.word._replace(text=UNKNOWN))",
        "return given.operands",
        (DISGUISES,),
    ),
    Fault(
        "what stands in quotes is expanded but once",
        "consent/danger/assess.py",
        "        self._evaluated(command)\n",
        "",
        (DISGUISES,),
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
    Fault(
        "only known fields name files",
        "orchestrator/named.py",
        "sure=field in _PATHS, lists=lists)\n\n",
        "sure=True, lists=False) if field in _PATHS else None\n\n",
        (NAMED,),
    ),
    Fault(
        "what a file is to hold is taken for paths",
        "orchestrator/named.py",
        "if field not in self._content:",
        "if True:",
        (NAMED,),
    ),
    Fault(
        "the files of a patch are not looked at",
        "orchestrator/named.py",
        "        for path in patched(text, end):\n            self._keep(path)\n",
        "",
        (NAMED,),
    ),
    Fault(
        "the arguments of a program do not stand behind it",
        "orchestrator/named.py",
        'f"{value} {behind}" if behind else value',
        "value",
        (NAMED,),
    ),
    Fault(
        "what is more than is looked at is not said",
        "orchestrator/marks.py",
        "whole = names.whole and not disk.tired",
        "whole = True",
        (MARKS,),
    ),
    Fault(
        "a call that names too much is marked and remembered all the same",
        "orchestrator/marks.py",
        "doubts = call.doubts if whole else",
        "doubts = call.doubts if True else",
        (MARKS,),
    ),
    Fault(
        "files beside the arguments are not looked at",
        "orchestrator/acp/permission.py",
        'beside=tuple(dict.fromkeys(paths_of({**fields, "rawInput": None}))),',
        "beside=(),",
        ("tests/orchestrator/acp/test_permission.py",),
    ),
    Fault(
        "links are followed without end",
        "orchestrator/disk.py",
        "if links > MOST_LINKS:",
        "if False:",
        (DISK,),
    ),
    Fault(
        "a disk looks at as many names as somebody likes",
        "orchestrator/disk.py",
        "self.tired = self.tired or self._left < 0",
        "pass",
        (DISK,),
    ),
    Fault(
        "the files that an own tool would touch are not looked at",
        "orchestrator/tools/base.py",
        "        beside=seen.paths,\n",
        "",
        (MARKS,),
    ),
    Fault(
        "files beside the arguments are not sent up",
        "orchestrator/acp/updates.py",
        "call.beside if to_ours else ()",
        "()",
        ("tests/orchestrator/acp/test_updates.py",),
    ),
    Fault(
        "a text for a shell names no files that decide",
        "orchestrator/seal.py",
        "if _TEXT_FOLLOWS.fullmatch(before):",
        "if False:",
        ("tests/orchestrator/test_seal.py",),
    ),
)

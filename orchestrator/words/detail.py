"""The one detail of a call that counts, as lines to draw. Knows no screen: widths are the facade's.

Lines behind a bar hold what another process wrote, lines without one are ours: neither passes for the other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from posixpath import join, normpath

from consent.call import Altered, Arguments, Change, Command, Detail, Origin, Place, Proposed, Task, ToolCall
from consent.key import Kind
from consent.show import BAR, cut, show_block
from mmconfigs.language import Words
from orchestrator.words import catalogue as say
from orchestrator.words.diff import diff
from orchestrator.words.party import is_cut, one_line, party
from orchestrator.words.shown import left_out

MOST_CHARACTERS = 750
MOST_LINES = 10
"""What is drawn of a detail at once: with who asks and the answers, it stands on a screen of 24 lines."""

Lines = tuple[str, ...]
Block = Callable[[str], Lines]


def short_detail(call: ToolCall, words: Words, whole: int = 0) -> Lines:
    """The detail, cut in the middle where it is long, unless it has no more than `whole` characters.

    A doubtful call shows its arguments as well, and so does one with arguments that the detail leaves out.
    """
    block = partial(excerpt, words=words, whole=whole)
    more = call.doubts or left_out(call)
    return (*_detail(call, words, block), *(_arguments(call, words, block) if more else ()))


def whole_detail(call: ToolCall, words: Words) -> Lines:
    """Everything behind "details": the detail uncut, the arguments as JSON, a title and names that were cut.

    Arguments that the detail repeats word for word are not shown twice, unless the call is doubtful.
    """
    more = call.doubts or not _repeated(call)
    arguments = _arguments(call, words, show_block) if more else ()
    title = titled(call, words, show_block) if is_cut(call.title) else ()
    return (*_detail(call, words, show_block), *arguments, *title, *names(call, words, show_block))


def titled(call: ToolCall, words: Words, block: Block) -> Lines:
    """The agent's own title as a block."""
    label = words.say(say.CLAIM, agent=party(call, words).agent, title="")
    return (label.rstrip(), *block(call.title))


def names(call: ToolCall, words: Words, block: Block) -> Lines:
    """The names of the yeses that are cut where they are offered, each as a block."""
    label = words.say(say.ONE_YES, name="").rstrip()
    return tuple(line for name in call.yeses if is_cut(name) for line in (label, *block(name)))


def gist(detail: Detail) -> str:
    """A detail as one raw text: the command, the file, the address, the task, or the arguments."""
    match detail:
        case Change(path=path) | Altered(path=path):
            return path
        case Command(text) | Place(text) | Arguments(text) | Task(text=text) | Proposed(text=text):
            return text


def headline(detail: Detail) -> str:
    """What a title says of a detail: its gist; of a move what it is about, since its text has lines."""
    return detail.about if isinstance(detail, Proposed) else gist(detail)


def _detail(call: ToolCall, words: Words, block: Block) -> Lines:
    match call.detail:
        case Command(text=text) | Place(text=text) | Task(text=text) | Proposed(text=text):
            return block(text)
        case Arguments(text=text):
            return block(_pretty(text)) if text else ()
        case Change() as change:
            changes = "\n".join(diff(change.before or "", change.after))
            return (*_heads(change, call, words), *(block(changes) if changes else ()))
        case Altered() if call.origin is Origin.FOREIGN:
            return block(_pretty(call.arguments))  # only an agent of ours has compared anything
        case Altered(path=path, file=file):
            return (*_place(path, file, call, words), words.say(say.LOOK))


def _heads(change: Change, call: ToolCall, words: Words) -> Iterator[str]:
    yield from _place(change.path, change.target, call, words)
    gone = call.kind in (Kind.DELETE, Kind.MOVE) and not change.after
    if change.before is None and not gone:
        # Only our own tools have looked whether there is a file; another process may not know, or not say.
        yield words.say(say.NEW_FILE if call.origin is Origin.OWN else say.WHOLE_FILE)


def _place(path: str, target: str, call: ToolCall, words: Words) -> Iterator[str]:
    """A file as it was named, and the real one where that is another."""
    yield BAR + one_line(path, MOST_CHARACTERS)
    if target != normpath(join(call.folder, path)):
        yield words.say(say.LEADS_TO, target=one_line(target, MOST_CHARACTERS))


def _repeated(call: ToolCall) -> bool:
    """Whether the detail holds each argument as it is."""
    if left_out(call):
        return False
    values = json.loads(call.arguments or "{}").values()
    return all(isinstance(value, str) and value in gist(call.detail) for value in values)


def _arguments(call: ToolCall, words: Words, block: Block) -> Lines:
    if not call.arguments or isinstance(call.detail, Arguments):
        return ()
    return (words.say(say.ARGUMENTS), *block(_pretty(call.arguments)))


def _pretty(arguments: str) -> str:
    try:
        return json.dumps(json.loads(arguments), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return arguments  # a number too long, or a nesting too deep for Python


def excerpt(text: str, words: Words, whole: int = 0) -> Lines:
    """A text as a block, cut in the middle with the hidden count unless it has `whole` characters at most."""
    shown = cut(text, MOST_CHARACTERS, MOST_LINES)
    if not shown.characters or len(text) <= whole:
        return show_block(text)
    sentence = say.HIDDEN_LINES if shown.lines > 1 else say.HIDDEN
    hidden = words.say(sentence, characters=words.number(shown.characters), lines=words.number(shown.lines))
    if shown.characters <= len(hidden) and shown.lines <= 1:
        return show_block(text)  # which is shorter
    return (*show_block(shown.head), hidden, *show_block(shown.tail))

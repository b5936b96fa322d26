"""The content of a question, from one place: what each facade draws, in this order. Draws nothing itself.

Source: consent.md, "A question". Every text in a card is escaped. A line may be longer than a screen is
wide: a facade that breaks it begins each further row with a blank or a bar.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from consent.answer import Answer, Response, Yes
from consent.call import Altered, Arguments, Change, Command, Doubt, Origin, Proposed, Task, Tier, ToolCall
from consent.docket import Waiting
from consent.gate import Question
from consent.key import Kind, Sort
from consent.matching import Effect
from consent.show import show
from mmconfigs.language import Sentence, Words
from orchestrator.words import catalogue as say
from orchestrator.words.detail import excerpt, gist, headline, names, short_detail, titled
from orchestrator.words.marks import mark
from orchestrator.words.party import BETWEEN, Party, is_cut, one_line, party, spelled, tool_of, yes_name

_BY_NAME = {
    "bash": say.RUN,
    "write_file": say.CHANGE,
    "edit_file": say.CHANGE,
    "read_file": say.READ,
    "fetch_content": say.FETCH,
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer on offer: its digit, which no other answer ever takes, and what it covers."""

    digit: int
    answer: Response
    label: str
    covers: str


@dataclass(frozen=True, slots=True)
class Card:
    """One question. `title` is for editors; `stop` says what Stop does; empty texts say nothing.

    `whole_detail` gives what stands behind "details".
    """

    who: str
    sentence: str
    detail: tuple[str, ...]
    mark: str
    doubts: tuple[str, ...]
    claim: tuple[str, ...]
    cause: str
    folder: str
    choices: tuple[Choice, ...]
    stop: str
    behind: str
    title: str

    @property
    def body(self) -> tuple[str, ...]:
        """The lines above the answers, in order; the first says who asks."""
        return (
            self.sentence,
            *self.detail,
            *filter(None, (self.mark, *self.doubts, *self.claim, self.cause)),
            self.folder,
        )


def card(waiting: Waiting, words: Words, behind: int, whole: int = 0) -> Card:
    """The card of a waiting question; `behind` questions wait behind it.

    `whole` is how many characters of a text are never cut, for facades that have no details to ask for.
    """
    question = waiting.question
    call = question.call
    caller = party(call, words)
    return Card(
        who=caller.who,
        sentence=_sentence(call, caller, words),
        detail=short_detail(call, words, whole),
        mark=mark(call.mark, words),
        doubts=doubts_of(call, words),
        claim=_claim(call, caller, words, whole),
        cause=_cause(question, caller, words),
        folder=words.say(say.FOLDER, folder=show(call.folder)),
        choices=tuple(_choice(answer, call, caller, words) for answer in question.answers),
        stop=words.say(say.STOP, agent=caller.agent),
        behind=more_waiting(behind, words),
        title=title(call),
    )


def sentence_of(call: ToolCall, words: Words) -> str:
    """Who wants to do what, in one sentence."""
    return _sentence(call, party(call, words), words)


def _cause(question: Question, caller: Party, words: Words) -> str:
    """Which rule wants this question, also where yolo is on; empty where none does."""
    rule = question.rule
    if rule and rule.effect is Effect.PROMPT and not rule.inherited:
        return words.say(say.CAUSE, rule=show(f"{rule.pattern}: {rule.effect}"), where=show(rule.where))
    return words.say(say.CAUSE_BELOW, agent=caller.agent) if question.call.marked else ""


def more_waiting(behind: int, words: Words) -> str:
    """How many questions wait behind the one that is drawn; empty where none does."""
    return words.say(say.BEHIND, count=words.number(behind)) if behind else ""


def title(call: ToolCall) -> str:
    """The call on one line, cut: `jan › bash: COMMAND`."""
    return _named(call, one_line(headline(call.detail)))


def _named(call: ToolCall, text: str) -> str:
    name = BETWEEN.join((*map(spelled, call.path), tool_of(call.key)))
    return f"{name}: {text}" if text else name


def _sentence(call: ToolCall, caller: Party, words: Words) -> str:
    agent = _about(call)
    return words.say(
        _wanted(call),
        who=caller.subject,
        tool=spelled(call.key.tool),
        server=spelled(call.server),
        agent=spelled(agent),
    )


def _about(call: ToolCall) -> str:
    """The agent, or the branch, that a call is about."""
    match call.detail:
        case Task(agent=about) | Altered(agent=about) | Proposed(about=about):
            return about
        case _:
            return ""


def _wanted(call: ToolCall) -> Sentence:
    """What the call wants, by what is surest: what would run, then the name, then the kind that it claims."""
    if isinstance(call.detail, Altered) and call.origin is not Origin.FOREIGN:
        return say.START_CHANGED
    if isinstance(call.detail, Proposed):
        return say.PROPOSED[call.detail.move]
    if call.kind is Kind.SWITCH_MODE:
        return say.BY_KIND[call.kind]
    if call.server:
        return say.USE_SERVER
    match call.detail:
        case Command():
            return say.RUN
        case Task():
            frees = call.origin is Origin.OWN and call.tier is not Tier.READ  # see "Handing a task over"
            return say.HAND_OVER_FREE if frees else say.HAND_OVER
        case Change() if call.kind in (Kind.DELETE, Kind.MOVE) and call.key.tool not in _BY_NAME:
            return say.BY_KIND[call.kind]
        case Change(before=None):
            return say.CREATE if not call.path else say.WRITE
        case Change():
            return say.CHANGE
        case _:
            return _by_key(call)


def _by_key(call: ToolCall) -> Sentence:
    match call.key.sort:
        case Sort.NAME:
            return _BY_NAME.get(call.key.tool, say.USE_TOOL)
        case Sort.KIND:
            return say.BY_KIND[Kind(call.key.tool)]
        case Sort.UNCLEAR:
            return say.USE_UNCLEAR


def doubts_of(call: ToolCall, words: Words) -> tuple[str, ...]:
    """Why the call cannot be taken at its word, a line for each doubt."""
    caller = party(call, words)
    return tuple(_doubt(doubt, call, caller, words) for doubt in call.doubts)


def _doubt(doubt: Doubt, call: ToolCall, caller: Party, words: Words) -> str:
    name, kind = spelled(call.full_name or ""), str(call.kind or "")
    return words.say(say.DOUBTS[doubt], agent=caller.agent, name=name or '""', kind=kind)


def _claim(call: ToolCall, caller: Party, words: Words, whole: int) -> tuple[str, ...]:
    """The agent's own words, never trusted, always labelled: its title, and names of yeses that are cut.

    A title that says no more than the card does is left out. One that is all there is to see is no line.
    """
    block = partial(excerpt, words=words, whole=whole)
    more = names(call, words, block) if whole else ()
    own_title = title(replace(call, path=call.path[1:]))  # what our own child calls it
    if call.title == own_title or _named(call, gist(call.detail)).endswith(call.title):
        return more
    if is_cut(call.title) and (whole or call.detail == Arguments("")):
        return (*titled(call, words, block), *more)
    return (words.say(say.CLAIM, agent=caller.agent, title=one_line(call.title)), *more)


def _choice(answer: Response, call: ToolCall, caller: Party, words: Words) -> Choice:
    if isinstance(answer, Yes):
        return _yes(answer, call, caller, words)
    covers = _every(call, caller, words) if answer.lasts else words.say(say.THIS_CALL)
    digit = 1 + list(Answer).index(answer)
    return Choice(digit, answer, words.say(say.ANSWERS[answer]), covers)


def _yes(yes: Yes, call: ToolCall, caller: Party, words: Words) -> Choice:
    """One of several yeses: the first has the digit of "allow once", the others those above the four."""
    digit = yes.number + (len(Answer) if yes.number else 1)
    label = words.say(say.ONE_YES, name=yes_name(call.yeses[yes.number]))
    return Choice(digit, yes, label, words.say(say.COVERS_YES, agent=caller.agent))


def _every(call: ToolCall, caller: Party, words: Words) -> str:
    sentence = say.EVERY[call.key.sort]
    return words.say(sentence, tool=tool_of(call.key), owner=caller.owner)

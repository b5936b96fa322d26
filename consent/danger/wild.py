"""Names with wildcards, as the shell fits them to files. Knows no path.

Source: the Bash manual, "Pattern Matching". What stands between brackets counts as anything: that fits more,
never less.
"""

from __future__ import annotations

_LONGEST = 255
"""Characters that a pattern fixes at most: no file has a longer name."""


class Pattern:
    """One name of a path, which may stand for many."""

    __slots__ = ("_chunks", "_hidden", "text", "wild")

    def __init__(self, text: str) -> None:
        self.text = text
        self.wild = "*" in text or "?" in text or "[" in text
        self._hidden = text.startswith(".")
        self._chunks = _chunks(text) if self.wild else (text,)

    def fits(self, name: str) -> bool:
        """Whether it may mean this name. A dot in front is meant only where it is written."""
        if not self.wild:
            return self.text == name
        first, *others = self._chunks
        if not (_begins(name, 0, first) and self._hidden == name.startswith(".")):
            return False
        if not others:
            return len(first) == len(name)
        *middle, last = others
        at, end = len(first), len(name) - len(last)
        for chunk in middle:
            found = next((place for place in range(at, end) if _begins(name, place, chunk)), None)
            if found is None:
                return False
            at = found + len(chunk)
        return at <= end and _begins(name, end, last)


def _chunks(text: str) -> tuple[str, ...]:
    """What stands between stars; a text that is too long fits nothing."""
    start, end = text.find("["), text.rfind("]")
    begin, *others = (text[:start] + "*" + text[end + 1 :] if 0 <= start < end else text).split("*")
    kept = (begin, *filter(None, others[:-1]), *others[-1:])
    return kept if sum(map(len, kept)) <= _LONGEST else ("/",)


def _begins(name: str, at: int, chunk: str) -> bool:
    part = name[at : at + len(chunk)]
    return part == chunk or (
        len(part) == len(chunk) and all(sign in ("?", char) for sign, char in zip(chunk, part, strict=True))
    )

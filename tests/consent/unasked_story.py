"""What the tests of acting without asking are told in: one agent's calls, and what was found."""

from __future__ import annotations

from consent.claim import claim_of
from consent.unasked import Effect, Finding, Report, Told, Unasked

LS, RM = '{"command": "ls"}', '{"command": "rm -rf ~"}'
LOOKS, MAY_CHANGE, CHANGES = Effect.LOOKS, Effect.MAY_CHANGE, Effect.CHANGES
RUNS, DONE, FAILED, LEFT, ELSE = Report.RUNS, Report.DONE, Report.FAILED, Report.LEFT, Report.ELSE


class Story:
    """One agent's calls in order, and what was found."""

    def __init__(self, *, must_ask: bool = True) -> None:
        self.ledger = Unasked()
        self.must_ask = must_ask
        self.found: list[Finding] = []

    def begins(self, *calls: str) -> Story:
        for call in calls:
            self.ledger = self.ledger.begun(call, must_ask=self.must_ask)
        return self

    def decided(
        self,
        call: str,
        arguments: str = LS,
        *,
        yes: bool,
        announced: bool = True,
        effect: Effect = MAY_CHANGE,
    ) -> Story:
        self.ledger = self.ledger.decided(
            call,
            claim_of(arguments),
            effect,
            allowed=yes,
            announced=announced,
            must_ask=self.must_ask,
        )
        return self

    def says(
        self,
        call: str,
        *reports: Report,
        arguments: str = LS,
        effect: Effect = MAY_CHANGE,
        title: str = "",
    ) -> Story:
        for report in reports:
            told = Told(report, claim_of(arguments), title, effect)
            self.ledger, finding = self.ledger.reported(call, told, must_ask=self.must_ask)
            self.found += [finding] if finding else []
        return self

    def over(self, *, stopped: bool = False, arguments: str = LS) -> Story:
        """The turn ends, by itself or not."""
        for call in () if stopped else self.ledger.running:
            self.says(call, LEFT, arguments=arguments)
        self.ledger = self.ledger.over(stopped=stopped)
        return self

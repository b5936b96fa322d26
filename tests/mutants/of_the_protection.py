"""What makes agents of another make ask before they act, broken."""

from __future__ import annotations

from tests.mutants.fault import PROTECTION, Fault

CHILD = "orchestrator/child.py"
WIRING = "tests/orchestrator/test_wiring.py"

FAULTS = (
    Fault(
        "an agent that cannot be made to ask is started where its calls must ask",
        CHILD,
        """        if why := self._frees():
            raise self._broke(why)
        await""",
        "        await",
        (PROTECTION,),
    ),
    Fault(
        "an agent that is free, since yolo counted or from its start, is asked where its calls must ask",
        CHILD,
        """        if why := self._frees():
            self._end_because(why)
            return""",
        """        if why := "":
            self._end_because(why)
            return""",
        (PROTECTION,),
    ),
    Fault(
        "an agent that goes free in mid-session goes on",
        CHILD,
        "            await self._note(self._of(why))\n            self._end_because(why)\n",
        "            await self._note(self._of(why))\n",
        (PROTECTION,),
    ),
    Fault(
        "an agent is left in the mode that it starts in",
        CHILD,
        '            await self._set_mode(connection, session["sessionId"])\n',
        "",
        (PROTECTION,),
    ),
    Fault(
        "an agent that refuses the mode in which it asks gets its task",
        CHILD,
        """                raise RpcError(0, f"its mode {mode} could not be set: {error}") from error""",
        "                self._report(str(error))",
        (PROTECTION,),
    ),
    Fault(
        "an own yolo of an entry that does not count frees its agent all the same",
        "orchestrator/alarm.py",
        "        return not self._desk.setting.yolo(path)",
        "        return not self._desk.setting.entries.get(path[0], self._desk.setting.yolo(path))",
        (PROTECTION,),
    ),
    Fault(
        "what the environment says outvotes what makes an agent ask",
        "orchestrator/launch.py",
        """            **_only_absolute(without_secrets(self.environ, self.loaded)),
            **own,
            **entry.env,
            **profile_of(entry.profile).environ,
""",
        """            **profile_of(entry.profile).environ,
            **_only_absolute(without_secrets(self.environ, self.loaded)),
            **own,
            **entry.env,
""",
        ("tests/orchestrator/test_launch.py",),
    ),
    Fault(
        "a rule over an agent that never asks is taken as if it held",
        "orchestrator/wiring.py",
        "    if profile_of(entry.profile).asks is Asks.NEVER:",
        "    if False:",
        (WIRING,),
    ),
)

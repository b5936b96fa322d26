"""The session mode that an asked agent says it is in: at its start, and whenever it changes it by itself.

Knows no profile, so not what a mode means. Source: acp.md, "Real agents".
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from orchestrator.acp.frames import Params
from orchestrator.acp.wire import Handler


def mode_in(said: Any) -> str:
    """The mode that an update or the answer to `session/new` tells, empty where it tells none."""
    if not isinstance(said, dict):
        return ""
    modes, options = said.get("modes"), said.get("configOptions")
    told = [place.get("currentModeId") for place in (said, modes) if isinstance(place, dict)]
    listed = options if isinstance(options, list) else ()
    told += [option.get("currentValue") for option in listed if _about_modes(option)]
    return next((mode for mode in told if isinstance(mode, str)), "")


def _about_modes(option: Any) -> bool:
    return isinstance(option, dict) and "mode" in (option.get("category"), option.get("id"))


class ModeHeard:
    """Hears each mode, in whichever session, before the handler behind it hears the message."""

    def __init__(self, behind: Handler, heard: Callable[[str], Awaitable[None]]) -> None:
        self._behind = behind
        self._heard = heard

    async def on_request(self, method: str, params: Params) -> Any:
        """Not about modes."""
        return await self._behind.on_request(method, params)

    async def on_notification(self, method: str, params: Params) -> None:
        """An update may tell a mode."""
        if method == "session/update" and (mode := mode_in(params.get("update"))):
            await self._heard(mode)
        await self._behind.on_notification(method, params)

"""The modes of approval as ACP has them: session modes, and the same as a configuration option.

Knows no connection and no session. Source: interface.md, "Session modes"; consent.md, "Changing yolo in
mid-session".
"""

from __future__ import annotations

from typing import Any

from consent.setting import Mode, Setting
from mmconfigs.language import Words
from orchestrator.words import catalogue as say
from orchestrator.words.banner import mode_text

OPTION = "mode"
"""The id of the configuration option."""

Object = dict[str, Any]


def modes_of(setting: Setting) -> Object:
    """The `modes` of a session: under the floor only the one that asks."""
    return {
        "currentModeId": setting.counts.value,
        "availableModes": [{"id": mode.value, **_named(mode)} for mode in setting.offered],
    }


def options_of(setting: Setting, words: Words) -> list[Object]:
    """The `configOptions` of a session: the same modes."""
    mode = {
        "id": OPTION,
        "name": words.say(say.MODE_OPTION),
        "category": "mode",
        "type": "select",
        "currentValue": setting.counts.value,
        "options": [{"value": mode.value, **_named(mode)} for mode in setting.offered],
    }
    return [mode]


def updates_of(setting: Setting, words: Words) -> tuple[Object, ...]:
    """The updates that tell of a changed mode."""
    return (
        {"sessionUpdate": "current_mode_update", "currentModeId": setting.counts.value},
        {"sessionUpdate": "config_option_update", "configOptions": options_of(setting, words)},
    )


def mode_named(text: object) -> Mode | None:
    """The mode that a peer names, None if there is none of this name."""
    return next((mode for mode in Mode if mode.value == text), None)


def _named(mode: Mode) -> Object:
    return {"name": mode.value, "description": mode_text(mode)}

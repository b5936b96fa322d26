"""Fixtures and settings of all tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("shared", deadline=None)
settings.load_profile("shared")


@pytest.fixture(scope="session", autouse=True)
def _clean_environ() -> Iterator[None]:
    """No test sees the settings of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("AGENT_YOLO", "MM_CHAIN", "MM_CONFIG"):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The event loop that mm runs on."""
    return "asyncio"

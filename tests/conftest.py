"""Fixtures and settings of all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import Phase, settings

settings.register_profile("shared", deadline=None)
# Where a fault is tried, whether a test fails is all that counts: nobody reads the smallest example.
settings.register_profile("mutants", deadline=None, database=None, phases=(Phase.explicit, Phase.generate))
settings.load_profile(os.environ.get("MM_TEST_PROFILE", "shared"))


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

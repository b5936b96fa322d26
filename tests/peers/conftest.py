"""Fixtures of the peers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from subprocess import CalledProcessError

import pytest

from tests.peers.driving import CLIENTS, Peer
from tests.peers.install import install
from tests.walks.builder import Walk


@pytest.fixture(scope="session", autouse=True)
def _installed() -> None:
    """The clients are there. Without a registry the tests are skipped, but never in CI."""
    try:
        install()
    except CalledProcessError as error:
        reason = f"the ACP clients cannot be installed: {error.stderr}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture
def walk(tmp_path: Path) -> Iterator[Walk]:
    """A folder with mm's files: riker asks before each call, and may ask jan. No process may remain."""
    walk = Walk(tmp_path)
    walk.agent("riker", "yolo: false", "mmConfigs: {jan: ./jan.yaml}")
    walk.agent("jan")
    yield walk
    walk.leaves_nothing()


@pytest.fixture(params=CLIENTS)
def peer(request: pytest.FixtureRequest, walk: Walk) -> Peer:
    """Each client in turn."""
    return Peer(walk, request.param)

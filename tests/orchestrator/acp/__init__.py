"""Tests of the ACP transport."""

"""Tests of the model side."""

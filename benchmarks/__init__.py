"""What mm costs, measured beside a bare process and a minimal agent. `python benchmarks/run.py` prints it."""

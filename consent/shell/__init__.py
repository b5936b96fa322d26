"""Text of a shell command, read as bash reads it: which words stand in command position, and what is run.

Pure. Knows no program, no danger and no file. Where it is not sure, it says so and reads no further: what it
gives is then the part that it read before.
"""

"""The eyes: what is dangerous about a command or a path, found before a person is asked.

Source: consent.md, "Marks" and "Critical". Pure: whether a file exists and where links lead is told to it.
It is wrong only to the side of marking: a mark adds to a question and takes none away.
"""

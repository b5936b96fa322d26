"""The file: reads agents.yaml into frozen values and names every fault by line and key.

Knows no task, no process and no protocol, and nothing of consent.
"""

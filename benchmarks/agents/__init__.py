"""The programs that mm is measured beside. Each is started by its path and shares no code with mm."""

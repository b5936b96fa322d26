"""What continues a conversation: models behind a server, and two that need none."""

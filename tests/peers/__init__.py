"""Second opinions: ACP clients that others wrote drive `mm --acp` through a turn with a question."""

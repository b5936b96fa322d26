"""What mm says to people and to models."""

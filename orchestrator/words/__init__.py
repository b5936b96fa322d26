"""What mm says: to a person in English or French, to a model in English. Knows no screen and no protocol."""

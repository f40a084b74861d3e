"""The errors that a user's input can cause."""


class StrandError(ValueError):
    """Bad input: the message names the field, its value and the allowed range."""

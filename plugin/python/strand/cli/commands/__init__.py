"""The commands of the library, one module each."""

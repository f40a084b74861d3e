"""Pictures, films, plots, and reports of results."""

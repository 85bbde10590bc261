"""The scripts that make the logs are run by hand, each beside its tool."""

collect_ignore_glob = ["make_*.py"]

"""The command line. Its options have the names of the Python arguments."""


def main() -> None:
    """Runs the command line. A Ctrl-C ends it without a word, also while its libraries are loaded."""
    try:
        from sqlmetrics.cli.program import main

        main()
    except KeyboardInterrupt:
        raise SystemExit(130) from None

"""`python -m sqlmetrics` is the command line too."""

from sqlmetrics.cli import main

if __name__ == "__main__":
    main()

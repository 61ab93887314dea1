"""`python -m tablewire`: the command line."""

from tablewire.cli import main

if __name__ == "__main__":
    main()

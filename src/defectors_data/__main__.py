"""Run the command line with `python -m defectors_data`, or as `defectors-data`; signals are listened to first."""

import sys

from defectors_data import signals


def main() -> None:
    """Run the command line; a signal ends it with 128 plus its number."""
    signals.listen()
    try:
        from defectors_data import cli  # noqa: PLC0415  # a signal may come while it is imported

        code = cli.main()
    except signals.Stopped as stopped:
        code = 128 + stopped.number
    signals.ignore()
    sys.exit(code)


if __name__ == "__main__":
    main()

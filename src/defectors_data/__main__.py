"""Run the command line with `python -m defectors_data`, or as `defectors-data`; signals are listened to first."""

import gc
import os
import sys

from defectors_data.package import signals

STOPPED = 128
"""The exit code of a command that a signal ended, without the number of the signal."""
GARBAGE = 100_000
"""Objects after which garbage is looked for: a command makes many that last, and few that refer to each other."""


def main() -> None:
    """Run the command line; a signal ends it with 128 plus its number.

    What other packages plug into pydantic is left out: it takes a search through all of them, and what is valid is
    for the models alone to say.
    """
    signals.listen()
    gc.set_threshold(GARBAGE)
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each thread takes memory, and none is needed
    try:
        from defectors_data import cli  # noqa: PLC0415  # a signal may come while it is imported

        code = cli.main()
    except signals.Stopped as stopped:
        code = STOPPED + stopped.number
    except (ImportError, MemoryError, OSError) as error:  # with few open files or little memory
        sys.stderr.writelines([f"defectors-data could not be loaded: {error}\n"])
        code = 70
    signals.ignore()
    if code < STOPPED:  # what DuckDB was interrupted in has to be collected, or it complains about leaks
        gc.freeze()  # what is left goes with the process: looking for garbage in it takes time for nothing
    sys.exit(code)


if __name__ == "__main__":
    main()

"""Run the command line, as `python -m defectors_data` or `defectors-data`."""

import gc
import os
import sys

from defectors_data.package import signals

STOPPED = 128
"""The exit code of a command that a signal ended is this number plus the number of the signal."""
GARBAGE = 200_000
"""Number of new objects after which garbage is collected; high, because few form cycles."""


def main() -> None:
    """Run the command line; for a signal, the exit code is 128 plus its number.

    Pydantic plugins are disabled, because discovering them takes time and they could change the
    validation.
    """
    signals.listen()
    gc.set_threshold(GARBAGE)
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    os.environ.setdefault(
        "OPENBLAS_NUM_THREADS", "1"
    )  # each BLAS thread reserves memory, and none is needed
    try:
        from defectors_data import cli  # noqa: PLC0415  # in `try`, because a signal may arrive during the import

        code = cli.main()
    except signals.StoppedBySignal as stopped:
        code = STOPPED + stopped.number
    except ModuleNotFoundError as error:
        from defectors_data.readers import plain_commands  # noqa: PLC0415  # only without the extras

        if sys.argv[1:2] and sys.argv[1] in plain_commands.COMMANDS:
            sys.exit(plain_commands.main(sys.argv[1], sys.argv[2:]))
        plain = ", ".join(plain_commands.COMMANDS)
        needed = f"Commands other than {plain} need {error.name}: install the extra `build`."
        sys.stderr.writelines([f"{needed}\n"])
        code = 2
    except (
        ImportError,
        MemoryError,
        OSError,
    ) as error:  # for example, at a limit on open files or memory
        sys.stderr.writelines([f"defectors-data could not be loaded: {error}\n"])
        code = 70  # EX_SOFTWARE in sysexits.h; `cli` uses it for bugs and a lack of memory
    signals.ignore()
    sys.exit(code)


if __name__ == "__main__":
    main()

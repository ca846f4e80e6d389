"""Run the command line with `python -m defectors_data`."""

from defectors_data.cli import main

main()

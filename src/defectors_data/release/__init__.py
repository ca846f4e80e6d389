"""Changes to a corpus over time: releases, their differences, corrected articles, and takedowns."""

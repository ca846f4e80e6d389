"""Changes of a corpus over time: releases, their differences, corrected articles, and takedowns."""

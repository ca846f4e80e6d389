"""Help for publishers: releases, differences, corrected articles, and takedowns."""

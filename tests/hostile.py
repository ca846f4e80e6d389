"""An invented corpus whose quotations carry what a page could take for markup, a program or a template."""

from __future__ import annotations

from pathlib import Path

from conftest import edit, repin

WORDS = (
    "</script><script>alert(document)</script>",
    "<img src=x onerror=alert(document)>",
    "</style><style>body{display:none}</style>",
    "<!-- never closed",
    "&lt;b&gt; &amp;amp;",
    "{{ config }} {% raw %}",
    "javascript:alert(document)",
)
TURNED = "\u202eturned\u202c \u2067round\u2069"


def hostile(root: Path) -> Path:
    """Put such words into a quotation, a note and a title of a copy of the invented corpus."""
    words = f"Perhaps {' '.join(WORDS)} {TURNED} nobody,"
    edit(root, "seeds/901_second.txt", "Perhaps nobody,", words)
    edit(root, "seeds/901_second.txt", "The Harbour After the Keepers", f"The Harbour {WORDS[1]} After the Keepers")
    quoted = words.replace("\\", "\\\\").replace('"', '\\"')
    for character in TURNED:
        if not character.isascii():
            quoted = quoted.replace(character, f"\\u{ord(character):04x}")
    edit(
        root,
        "annotations/901_second.yaml",
        "evidence: Perhaps nobody,",
        f'evidence: "{quoted}"\n    note: "{WORDS[0]}"',
    )
    edit(root, "annotations/901_second.yaml", "title: The Harbour", f"title: The Harbour {WORDS[1]}")
    repin(root, "901_second")
    return root

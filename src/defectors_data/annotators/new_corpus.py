"""The files of a new corpus: an annotated example, or an empty corpus about a subject."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date
from importlib import metadata
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname

from defectors_data.corpus import yaml_reader
from defectors_data.corpus.findings import Finding
from defectors_data.corpus.validation_errors import to_project_file
from defectors_data.corpus.yaml_reader import in_yaml, scalar
from defectors_data.documents import catalogues
from defectors_data.edits import git, yaml_editor
from defectors_data.models.project import NOT_STATED, UNKNOWN_PROGRAM, Dataset
from defectors_data.text.english.languages import is_english
from defectors_data.text.occurrences import slug

_EXAMPLE = Path(__file__).parents[1] / "example"
"""The corpus that `init` writes; in names, `dot-` is a dot, so that no tool ignores the files."""
_OF_EXAMPLE = ("001_flood.txt", "001_flood.yaml")


class CorpusFacts(NamedTuple):
    """What a person says about a new corpus."""

    title: str = ""
    subject: str = ""
    """What the articles are about, as a noun: it completes `statements and figures on`."""
    language: str = "en"
    """The language of most articles, as a BCP 47 tag."""

    @property
    def summary(self) -> str:
        """The first description of the dataset."""
        return f"Who said what, and which numbers are reported, on {self.subject or self.title}."


_LONGEST_SUBJECT = 10


def is_noun_phrase(subject: str) -> bool:
    """Return whether a subject can complete a sentence: it is short, and not itself a sentence."""
    # An abbreviation, as in `the economy of the U.S.`, is no end of a sentence.
    is_sentence = re.search(r"\w{4}\.$|[!?]$", subject.strip())
    return not is_sentence and len(subject.split()) <= _LONGEST_SUBJECT


def files_of_new_corpus(facts: CorpusFacts | None, *, today: date) -> Mapping[str, bytes]:
    """Return the files of a new corpus by path: an empty one or, without facts, the example."""
    found = {}
    for path in sorted(path for path in _EXAMPLE.rglob("*") if path.is_file()):
        name = path.relative_to(_EXAMPLE).as_posix().replace("dot-", ".")
        if not (facts and path.name in _OF_EXAMPLE):
            found[name] = path.read_bytes()
    if facts:
        found["seeds/.gitkeep"] = b""
        found["annotations/vocabulary.yaml"] = _VOCABULARY.encode()
        found["annotations/speakers.yaml"] = _SPEAKERS.encode()
        dataset = found["dataset.yaml"].decode()
        found["dataset.yaml"] = _described(dataset, facts, today).encode()
    found["README.md"] = _readme(found["README.md"].decode(), facts).encode()
    found["requirements.txt"] = f"{_REQUIREMENTS}{installed_program()}\n".encode()
    content = found["dataset.yaml"].decode()
    typed = yaml_reader.parse(content, file="dataset.yaml")
    if file := to_project_file(typed, "dataset.yaml", Dataset, list[Finding]()):
        found |= catalogues.root_files(file.content)
    return dict(sorted(found.items()))


def _readme(text: str, facts: CorpusFacts | None) -> str:
    """Return the README; of an empty corpus, without what is said of the example."""
    kept = "" if facts else r"\1"
    text = re.sub(r"<!-- example -->\n(.*?)<!-- end -->\n", kept, text, flags=re.DOTALL)
    if facts:
        text = text.replace("002_word", "001_word")
    if facts and facts.title:
        text = text.replace("# A corpus of annotated articles", f"# {facts.title}")
    return text


_PROGRAM = "defectors-data"
_REQUIREMENTS = """\
# The program, in one version: the workflows install it.
"""


def installed_program() -> str:
    """Return the requirement with which `pip` installs this version of the program elsewhere."""
    try:
        program = metadata.distribution(_PROGRAM)
    except metadata.PackageNotFoundError:
        return UNKNOWN_PROGRAM
    return requirement(program.version, program.read_text("direct_url.json"))


def requirement(version: str, direct_url: str | None) -> str:
    """Return the requirement of an installed version of the program.

    `direct_url` is the record of where it was installed from, if not from an index (PEP 610). Of a
    folder, it is the current commit, if that is in a repository which others can reach.
    """
    if direct_url is None:
        return f"{_PROGRAM}[build]=={version}"
    record = json.loads(direct_url)
    address, repository = record["url"], record.get("vcs_info")
    if "dir_info" in record:
        folder = Path(url2pathname(urlsplit(address).path))
        # The folder may be in a repository of something else, and a commit may not be pushed yet.
        if (folder / ".git").exists() and git.output(folder, "branch", "-r", "--contains", "HEAD"):
            address = git.output(folder, "remote", "get-url", "origin").strip()
            commit = git.output(folder, "rev-parse", "HEAD").strip()
            repository = {"vcs": "git", "commit_id": commit}
    if shell := _SSH.fullmatch(address):
        address = f"https://{shell['host']}/{shell['path']}"
    if not address.startswith("https://"):
        return UNKNOWN_PROGRAM
    if repository:
        address = f"{repository['vcs']}+{address}@{repository['commit_id']}"
    return f"{_PROGRAM}[build] @ {address}"


_SSH = re.compile(r"(?:ssh://)?git@(?P<host>[\w.-]+)[:/](?P<path>\S+)")
"""The address of a repository for those who write to it; others read it at that of a website."""


def _described(dataset: str, facts: CorpusFacts, today: date) -> str:
    """Return `dataset.yaml` with the facts in place of those of the example."""
    subject = facts.subject or facts.title
    title = facts.title or f"Statements and figures on {subject}"
    name = "-".join(slug(title).split("-")[:6]) or "corpus"
    limits = ["The data are what the articles print."]
    if not is_english(facts.language):
        limits.append(
            f"The articles are in the language {facts.language}; only English is searched for "
            "quotations and numbers, so nothing is claimed about what is missing."
        )
    values = {
        "name": scalar(name),
        "title": in_yaml(title),
        "summary": in_yaml(facts.summary),
        "released": today.isoformat(),
        "keywords": f"[{in_yaml(subject.removeprefix('the '))}]",
        "rights": in_yaml("The quoted words belong to the publishers of the articles."),
        **dict.fromkeys(_UNKNOWN, in_yaml(NOT_STATED)),
        "annotation": in_yaml("A program compares each record with the words of the article."),
        "uses": f"[{in_yaml('To find who said what, with the words of the article.')}]",
        "not_for": f"[{in_yaml('To identify persons whom the articles do not name.')}]",
        "limitations": f"[{', '.join(in_yaml(each) for each in limits)}]",
        "biases": f"[{in_yaml(NOT_STATED)}]",
    }
    paths: dict[tuple[str | int, ...], str] = {(key,): value for key, value in values.items()}
    changed = yaml_editor.with_values(dataset, paths)
    changed = yaml_editor.without(changed, [("coverage",)])
    changed = changed.replace("# Words that", f"{_COVERAGE}# Words that")
    example = "# Every line is an example: replace all of them."
    return changed.replace(example, "# Complete these lines.")


_UNKNOWN = ("purpose", "collection", "sensitive", "maintenance")
"""Keys of `dataset.yaml` about which only its publisher knows anything, as about `biases`."""
_COVERAGE = """\
# When and from where the articles report:
# coverage: {time: 2009, places: [Norway]}
"""
_VOCABULARY = """\
# The terms of this corpus; the workbench adds terms, and asks for their definitions.
themes:
  - term: other
    definition: Anything else.
roles: # whom speakers speak for; replace these by the sides of your subject
  - term: official
    definition: Speaks for a government, a public authority, the police or the courts, such as a
      minister, secretary, mayor or police officer.
  - term: politician
    definition: Has or seeks an elected office, or speaks for a party, such as a senator,
      lawmaker or candidate.
  - term: representative
    definition: Speaks for a company, union, association or other organisation, such as its
      director or chief executive.
  - term: expert
    definition: Knows the subject from study or work without taking part in it, such as a
      professor or researcher.
  - term: witness
    definition: A private person who reports what they saw, did or lived through.
  - term: other
    definition: Anyone else, or several of these together.
tolerances: # how far the number that is meant can be from the number that is printed
  - {hedge: about, percent: 10}
  - {hedge: nearly, percent: 10}
"""
_SPEAKERS = """\
# Named persons and institutions that several articles quote. An article refers to one with `use`.
speakers: []
"""

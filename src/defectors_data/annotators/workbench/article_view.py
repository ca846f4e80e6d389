"""The view of an article: its cards, findings and places to visit."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from defectors_data.annotators.proposals import statements
from defectors_data.annotators.proposals.proposal import PLACEHOLDERS
from defectors_data.annotators.workbench import connections
from defectors_data.annotators.workbench.code_keys import OTHER, UNNAMED, code_keys, lacks_term
from defectors_data.annotators.workbench.record_fields import (
    MODELS,
    NOT_IN_FORMS,
    FieldType,
    RecordField,
    Value,
    Values,
    current_values,
    fields_of,
)
from defectors_data.annotators.workbench.shown_records import (
    KINDS,
    SAME_AS,
    lacking,
    path_at,
    paths_by_line,
    record_at,
    short_name,
    shown_records,
    speaker_labels,
)
from defectors_data.corpus.findings import DRAFT, Finding, Path, Place, totals
from defectors_data.documents.article import ArticleView, RecordView, paragraphs
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.models.annotation import SharedReference
from defectors_data.text.offsets import Span, is_inside, line_starts

_TERM_NEEDED = {"testimonies": ("themes", "no theme"), "speakers": ("role", "no role")}
"""What a draft lacks without any of the terms that keys set, with their field, by table; a measure
may be empty.
"""
_FIRST_FACTS = frozenset("speaker themes name role value counted measure reason".split())
_NOT_CHOSEN = "(not chosen)"
_ON_LINE = re.compile(r"(?:the one |`\S+`, )?on line (\d+)(?! of)")
"""The place of another record of the same file in a message."""


def article_view(
    document: Document,
    findings: Sequence[Finding],
    *,
    unread: Sequence[Finding],
    guesses: Mapping[Path, Mapping[str, str]],
    reading: str,
) -> ArticleView:
    """Return the view of an article, without the progress of the corpus.

    Args:
        document: the article.
        findings: the findings in the project, those of the article first.
        unread: the findings about what could not be read.
        guesses: the comments on guesses in the file, by record and key.
        reading: the name of the blind reading, or "".
    """
    own = (document.file.file, document.seed)
    # The page names speakers and mentions, whose ids only the file needs.
    findings = _with_names(document, findings)
    records = list(_records(document, findings, guesses))
    if unread:
        # Findings that are not known yet could concern any draft.
        records = [each._replace(undecided=("not everything was read",)) for each in records]
    found = totals([each for each in findings if each.place.file in own])
    elsewhere = totals([each for each in findings if each.place.file not in own])
    # The drafts of this article have cards.
    carded = (document.file.file, DRAFT)
    findings = [each for each in findings if (each.place.file, each.code) != carded]
    left = [Span(*each.detection[:2]) for each in ledger_of(document).left()]
    in_seed = [each.place for each in findings if each.place.file == document.seed]
    places = _characters(document.text, in_seed)
    marked = [*left, *(at for at in places if not is_inside(at, left))]
    is_read = bool(document.content.readings or reading)
    in_doubt = [each for each in records if _is_to_do(each, is_read=is_read)]
    if not (in_doubt or marked):
        in_doubt = [each for each in records if _is_to_do(each, is_read=True)]
    faulty = [each.begin for each in in_doubt]
    title = " ".join(part.text for part in document.source.title or ())
    # A blind reader sees no suggestions, and whoever recorded a reading has decided on them.
    possible = [] if is_read else statements.possible_statements(document)
    return ArticleView(
        "",
        title,
        paragraphs(document.text, records, marked, possible),
        targets=sorted({*marked, *filter(None, faulty)}),
        possible=possible,
        left=len(left),
        findings=findings,
        unread=unread,
        not_searched=not_searched(document),
        reading=reading,
        source=document.source.id,
        # In a blind reading, drafts have no findings.
        found=found._replace(drafts=len([record for record in records if record.draft])),
        is_read=is_read,
        places=places_shown(document, findings),
        elsewhere=elsewhere,
    )


def not_searched(document: Document) -> str:
    """Return a sentence that an article was not searched; "" if it was."""
    if document.claims_completeness:
        return ""
    return statements.not_searched(document)


def _characters(text: str, places: Sequence[Place]) -> list[Span]:
    """Return the spans of the characters at some places of a text."""
    starts = line_starts(text)
    offsets = [starts[place.line - 1] + place.column - 1 for place in places]
    return [Span(at, at + 1) for at in offsets]


def _is_to_do(record: RecordView, *, is_read: bool) -> bool:
    """Return whether `n` stops at a record: a speaker without statements waits until a reading is
    recorded, or until nothing else is left, since what they say may come next.
    """
    waiting = set() if is_read else {"unused-speaker"}
    codes = {finding.code for finding in record.findings}
    return record.draft or not codes <= waiting


def places_shown(document: Document | None, findings: Sequence[Finding]) -> list[str]:
    """Return the place of each finding, as the page shows it: the short id of a record of the
    article, or else a line of a file.
    """
    found = []
    for finding in findings:
        file, line, column = finding.place
        shown = f"{file}:{line}:{column}"
        if document and file == document.file.file:
            shown = record_at(document, line) or shown
        found.append(shown)
    return found


def _records(
    document: Document, findings: Sequence[Finding], guesses: Mapping[Path, Mapping[str, str]]
) -> Iterator[RecordView]:
    """Yield the records of an article, each with the findings on its lines."""
    of_record = _by_record(document, findings)
    names, narrated = speaker_labels(document), _narrated(document)
    for path, table, record in shown_records(document):
        spans, begin = document.evidence_of(path), None
        if table == "boilerplate":
            spans = (document.at(path[:-1])[int(path[-1])],)
        elif table == "speakers":
            begin = next(iter(document.evidence_of((*path, "mentions", 0))), None)
        elif table == "source":
            begin = next(iter(document.at(("source", "title"))), None)
        shown, missing = {}, ""
        if isinstance(record, SharedReference):
            shown["shared"] = names[record.use]
        elif table != "boilerplate":
            shown = _shown_of(document, table, record, names)
            lacked = lacking(document, table, current_values(record, table))
            missing = " and ".join(lacked.values())
        if table == "speakers" and begin:
            # A speaker is accepted together with the first mention.
            mention = _shown_of(document, "mentions", record.mentions[0], names)
            words = document.words((*path, "mentions", 0, "evidence")) or ""
            shown["mention"] = words
            for key, text in mention.items():
                name = f"mention {key}" if key in shown else key
                shown[name] = text
        for key, note in guesses.get(path, {}).items():
            if key in shown:
                shown[key] += f" (a guess: {note})"
        if table == "mentions":
            shown = {"speaker": names[document.entry_of(path).id], **shown}
        is_draft = getattr(record, "draft", False)
        found = [each for each in of_record[path] if each.code != DRAFT]
        fields = _fields_of(document, path, found)
        found = [_with_place(*each) for each in zip(found, fields, strict=True)]
        speaker = getattr(record, "speaker", "")
        is_open = any(getattr(record, key, "") == open_ for key, open_ in PLACEHOLDERS.items())
        states = {"draft": is_draft, "finding": bool(found), "open": is_open}
        state = [name for name, is_so in states.items() if is_so]
        if table == "speakers":
            speaker = record.id
        elif table == "mentions":
            speaker = document.entry_of(path).id
        filters = {"kind": KINDS[table], "state": " ".join(state), "speaker": speaker}
        codes = {each.code for each in of_record[path]}
        doubted = {*guesses.get(path, ())}
        if "polarity-unstated" in codes:
            doubted.add("polarity")
            shown["polarity"] = _NOT_CHOSEN
        keys = code_keys(document, path, table, record, names, codes, doubted)
        undecided = [missing] if missing else []
        if not missing and _is_faulty(of_record, path):
            undecided.append("finding")
        if table in _TERM_NEEDED and lacks_term(document, table, record):
            key, lack = _TERM_NEEDED[table]
            undecided.append(lack)
            if is_draft and shown.get(key) == OTHER:
                shown[key] += " (a guess: none found)"
        undecided += [f"guess of {key}" for key in guesses.get(path, ())]
        if not undecided and getattr(record, "id", "") in narrated:
            undecided.append("narrated")
        is_introduced = table == "testimonies" and (is_open or bool(codes & UNNAMED))
        yield RecordView(
            KINDS[table],
            record.id,
            spans,
            shown,
            tuple(found),
            filters,
            first=begin,
            draft=is_draft,
            number=short_name(document, record.id),
            code_keys=keys,
            words=_words_of_draft(document, path, record),
            undecided=undecided,
            fields=fields,
            introduces=is_introduced and bool(connections.introducing_words(document, path)),
        )


def _narrated(document: Document) -> set[str]:
    """Return the drafts of narration, of which two in five are no statement, and the speakers of nothing
    else: each is accepted by itself.
    """
    found, others = set[str](), set[str]()
    for _, each in document.testimonies:
        if each.draft and each.mode == "narrated":
            found.update((each.id, each.speaker))
        else:
            others.add(each.speaker)
    return found - others


def _fields_of(document: Document, path: Path, findings: Sequence[Finding]) -> tuple[str, ...]:
    """Return the field of a record at which each finding is, or that corrects it; "" if it is about the
    record.
    """
    if not findings:
        return ()
    fields = dict[Place, str]()
    for each, place in document.file.places.items():
        if each[: len(path)] == path and len(each) > len(path):
            fields.setdefault(place, str(each[len(path)]))
    found = [fields.get(finding.place, "") for finding in findings]
    for i, finding in enumerate(findings):
        if finding.code == "speaker-not-shared":
            found[i] = SAME_AS
    return tuple(found)


def _with_place(finding: Finding, field: str) -> Finding:
    """Return a finding with what to do in the workbench: on a field that no form has, or on a
    speaker of several articles.
    """
    if finding.code == "speaker-not-shared":
        return finding._replace(help=("Choose this speaker in the field “same speaker as”.",))
    if field not in NOT_IN_FORMS - {"evidence"}:  # c changes the evidence
        return finding
    hint = f"No form has the field `{field}`: correct {finding.place.file}, "
    hint += f"line {finding.place.line}, in a text editor; n leads on."
    return finding._replace(help=(*finding.help, hint))


def _is_faulty(of_record: Mapping[Path, Sequence[Finding]], path: Path) -> bool:
    """Return whether a record has a finding, or a speaker a mention with one."""
    for each, findings in of_record.items():
        codes = {finding.code for finding in findings}
        if each[: len(path)] == path and codes - {DRAFT}:
            return True
    return False


def _words_of_draft(document: Document, path: Path, record: Any) -> str:
    """Return the words of a draft with an ellipsis between parts; "" of another record."""
    if not getattr(record, "draft", False):
        return ""
    parts = document.words_at(document.evidence_of(path))
    return " … ".join(parts)


def _shown_of(
    document: Document, table: str, record: Any, names: Mapping[str, str]
) -> dict[str, str]:
    """Return the values of a record, as its card shows them."""
    # Boilerplate has its own cards.
    fields = [each for each in fields_of(MODELS[table]) if each.key != "boilerplate"]
    facts = _facts(fields, current_values(record, table), names)
    prefix = f"{document.source.id}-"
    return {key: text.replace(prefix, "") for key, text in facts}


def _facts(
    fields: Sequence[RecordField], values: Values, names: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield the values of a record that are not empty, as the page shows them.

    Codes and what is counted come first: of a finished record, a card shows one line.
    """
    for field in sorted(fields, key=lambda field: field.key not in _FIRST_FACTS):
        text = _shown(field, values.get(field.key, ""), names)
        if text not in ("", "not_applicable"):
            yield field.key, text


def _shown(field: RecordField, value: Value, names: Mapping[str, str]) -> str:
    if isinstance(value, str):
        if value and value == PLACEHOLDERS.get(field.key):
            return _NOT_CHOSEN
        if field.key not in ("speaker", "attributed_to"):
            return value
        if value == PLACEHOLDERS["speaker"]:
            return _NOT_CHOSEN
        return names.get(value, value)
    if isinstance(value, Mapping):
        inner = []
        # Whether the words are about the speaker follows from the mode.
        shown = [each for each in field.fields if each.key != "about"]
        for each in shown:
            if text := _shown(each, value.get(each.key, ""), names):
                is_words = each.type is FieldType.WORDS and each.key == "words"
                labelled = text if is_words else f"{each.key}: {text}"
                inner.append(labelled)
        return ", ".join(inner)
    rows = [_shown(field._replace(type=FieldType.GROUP), row, names) for row in value]
    return " | ".join(rows)


def _with_names(document: Document, findings: Sequence[Finding]) -> list[Finding]:
    """Return findings with the names of speakers and mentions in place of their ids, and the short
    ids of other records in place of long ones and of lines.
    """
    speakers = speaker_labels(document)
    names = dict(speakers)
    for path, mention in document.mentions:
        who = speakers[document.entry_of(path).id]
        names[mention.id] = f"{who}, {short_name(document, mention.id)}"
    names = {name: words for name, words in names.items() if name != words}
    longest_first = sorted(names, key=len, reverse=True)
    pattern = re.compile(rf"`({'|'.join(re.escape(name) for name in longest_first)})`")

    def at_line(hit: re.Match[str]) -> str:
        return record_at(document, int(hit[1])) or hit[0]

    def named(words: str) -> str:
        if names:
            words = pattern.sub(lambda hit: f"“{names[hit[1]]}”", words)
        return _ON_LINE.sub(at_line, words.replace(f"{document.source.id}-", ""))

    found = []
    for each in findings:
        if each.place.file != document.file.file:
            found.append(each)
            continue
        lines = tuple([named(line) for line in each.help])
        found.append(each._replace(message=named(each.message), help=lines))
    return found


def _by_record(document: Document, findings: Sequence[Finding]) -> Mapping[Path, list[Finding]]:
    """Return the findings in the file of a document, by the path of their record."""
    by_line, found = paths_by_line(document), defaultdict[Path, list[Finding]](list)
    for finding in findings:
        path = path_at(by_line, finding.place.line)
        if finding.place.file == document.file.file and path:
            found[path].append(finding)
    return found

"""Commands for a corpus as a whole: init, build, schema, shard."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from defectors_data import pipeline
from defectors_data.annotators import new_corpus
from defectors_data.build import build as run
from defectors_data.build import outdated_root_files, update_root_files
from defectors_data.cli import arguments, progress, rule_summary
from defectors_data.cli.arguments import OUT_HELP, ROOT_HELP, RULES_HELP, Jobs, Root, Without
from defectors_data.cli.output import (
    Ends,
    ExitStatus,
    Verbosity,
    end,
    in_shell,
    inform,
    inform_of,
    publishing_errors,
    report,
    say,
    shown,
    steps,
    stop,
    stop_on,
    warn,
)
from defectors_data.corpus import findings as f
from defectors_data.corpus.reader import CorpusReader
from defectors_data.executors import Executor
from defectors_data.models import schemas
from defectors_data.models.counts import counted
from defectors_data.models.fields import FORMS, LANGUAGE
from defectors_data.package import atomic_publication, published_folder
from defectors_data.publishers import release_register, shard_writer
from defectors_data.text.english.languages import is_english


def init(
    folder: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", help="A folder that does not exist yet, or is empty."),
    ],
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The title of the dataset.")
    ] = None,
    subject: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT", help="What the articles are about, as an English noun: `the floods`."
        ),
    ] = None,
    language: Annotated[
        str | None, typer.Option(metavar="TAG", help="The language of the articles. Default: en.")
    ] = None,
    empty: Annotated[
        bool, typer.Option("--empty", help="Leave out the annotated example.")
    ] = False,
) -> None:
    """Start a corpus of your own, empty or with an annotated example.

    A corpus with a title, subject or language begins empty. In a terminal, the command asks for them.
    """
    if published_folder.exists(folder) and not (folder.is_dir() and not any(folder.iterdir())):
        stop(2, f"{folder} is not an empty folder: choose another folder. Nothing was written.")
    if language and not re.fullmatch(LANGUAGE, language):
        stop(2, f"--language must be {FORMS[LANGUAGE]}. Nothing was written.")
    if subject and not new_corpus.is_noun_phrase(subject):
        stop(2, f"--subject: {_NO_SENTENCE}. Nothing was written.")
    facts = _asked_facts(title, subject, language, empty=empty)
    if facts and not (facts.title or facts.subject):
        stop(2, "An empty corpus needs a --title or --subject. Nothing was written.")
    files = new_corpus.files_of_new_corpus(facts, today=arguments.day(None))
    for name, content in files.items():
        atomic_publication.save(folder / name, content)
    after = f"defectors-data check --root {in_shell(folder)}"
    if facts:
        after = (
            f"save an article as {shown(folder)}/seeds/001_word.txt, with a word from it, and "
            f"run `defectors-data draft --fill 001_word --root {in_shell(folder)}`"
        )
    inform(f"{shown(folder)}: {len(files)} files written. Next: {after}")
    if facts:
        inform(
            f"dataset.yaml describes it as: {f.printable(facts.summary)} Correct its texts there."
        )
    if facts and not is_english(facts.language):
        inform("The package is in English: if the subject is not, correct it in dataset.yaml.")
        inform("Only English is searched for quotations and numbers: other articles claim nothing.")


def _asked_facts(
    title: str | None, subject: str | None, language: str | None, *, empty: bool
) -> new_corpus.CorpusFacts | None:
    """Return the facts of a new corpus from options and answers; None for the example."""
    is_example = not (empty or title or subject or language)
    hint = ""
    if is_example:
        hint = ", or Enter to start with an annotated example"
    title = _asked(f"Title, such as Voices of the floods{hint}", title)
    if is_example and not title:
        return None
    subject = _asked("Subject, as an English noun such as the floods", subject, _subject)
    language = _asked("Language, as a tag such as en or es-CO", language, _tag, default="en")
    return new_corpus.CorpusFacts(_one_line(title), _one_line(subject), language)


def _one_line(text: str) -> str:
    """Return a text without line breaks and control characters, which `check` would refuse."""
    without = re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", " ", text)
    return " ".join(without.split())


def _asked(
    question: str,
    given: str | None,
    read: Callable[[str], str] = str.strip,
    default: str = "",
) -> str:
    """Return an option or, in a terminal, the first answer that `read` accepts."""
    if given is not None or not sys.stdin.isatty():
        return given or default
    shown_default = bool(default)
    return str(typer.prompt(question, default, value_proc=read, show_default=shown_default))


_NO_SENTENCE = "give a noun, such as `the floods`, and no sentence"


def _subject(answer: str) -> str:
    """Return a subject.

    Raises:
        typer.BadParameter: it is a sentence.
    """
    if not new_corpus.is_noun_phrase(answer):
        raise typer.BadParameter(f"{_NO_SENTENCE}.")
    return answer.strip()


def _tag(answer: str) -> str:
    """Return a language tag.

    Raises:
        typer.BadParameter: it is none.
    """
    if not re.fullmatch(LANGUAGE, answer.strip()):
        raise typer.BadParameter(f"it must be {FORMS[LANGUAGE]}.")
    return answer.strip()


def build(
    root: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help=f"{ROOT_HELP} With --scheduler, also an address: s3://bucket/corpus.",
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help=f"{OUT_HELP} With --scheduler, also an address."),
    ] = None,
    every_rule: Annotated[bool, typer.Option("--rules", help=RULES_HELP)] = False,
    jobs: Jobs = None,
    without: Without = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Build on a Dask cluster: the address of its scheduler, such as tcp://10.0.0.1:8786, or `local` for "
            "--jobs worker processes on this machine. See docs/publishers/scale.md.",
        ),
    ] = None,
    change_ids: Annotated[
        bool,
        typer.Option(
            "--change-ids",
            help="Allow ids that were never released to be removed, or to get different words or places.",
        ),
    ] = False,
    only_check: Annotated[
        bool,
        typer.Option(
            "--check", help="Publish nothing; exit with code 1 if the published files differ."
        ),
    ] = False,
) -> None:
    """Check everything, and publish if there are no findings."""
    from defectors_data.distributed import object_store  # noqa: PLC0415

    if not scheduler and any(object_store.is_address(place) for place in (root, out) if place):
        stop(2, "An address requires --scheduler; otherwise, give a folder.")
    if scheduler and jobs and scheduler != "local":
        stop(2, "--jobs requires `--scheduler local`: a running cluster has its own workers.")
    with stop_on(_build_errors()), steps() as step, ExitStack() as stack:
        folder, target, published = _places(root, out, stack)
        if only_check and object_store.is_address(published):
            stop(2, "--check requires a folder, not an address.")
        made = _scratch(stack) / "dist" if only_check else target
        options = pipeline.Options(
            without=frozenset(without or ()),
            published=target,
            compare_ids=False,
            today=arguments.last_day(),
        )
        arguments.clear_unfinished(folder)
        corpus = arguments.corpus(folder)
        step("Reading and checking")
        damaged: list[published_folder.DamagedPackageError] = []
        built = run(
            corpus,
            made,
            options,
            executor=_executor(corpus, scheduler, jobs, stack),
            created=arguments.created(),
            review=partial(
                release_register.review,
                corpus=corpus,
                replaced=target,
                change_ids=change_ids,
                on_damaged=damaged.append,
            ),
            on_progress=progress.rate(step),
        )
        differing = published_folder.differing(target, made) if only_check else []
        if object_store.is_address(published) and built.outcome:
            step("Uploading")
            object_store.upload(target, published)
    named: str | Path = folder
    if root and object_store.is_address(root):
        named = root
    for error in damaged:
        warn(
            f"{shown(error.path)} {error.problem}. Ids and version were not compared with {shown(published)}."
        )
    report(built.checked.findings, named, rules=built.checked.rules)
    context = built.checked.context
    assert context  # noqa: S101  # there are no findings
    if only_check:
        paths = [target / name for name in differing]
        if target == folder / "dist":
            outdated = outdated_root_files(folder, context.dataset.content)
            paths += [folder / name for name in outdated]
        _show_difference(paths, target)
    for warning in built.warnings:
        warn(f"Published, with a warning: {warning}")
    start = "README.md"
    if (target / "index.html").is_file():
        start = "index.html"
    counts = ", ".join(rule_summary.counts(built.checked.rules, rule_summary.RECORDS))
    what = f"version {context.dataset.content.version}: {counts}"
    inform(
        f"{shown(published)}: {built.outcome} ({what}). Open {shown(published)}/{start}",
        best_effort=True,
    )
    if target == folder / "dist":
        inform_of(update_root_files(folder, context.dataset.content))
    released = context.dataset.content.released
    if released > arguments.day(None):
        inform(
            f"dataset.yaml dates this version {released}, in the future: `release` sets its day."
        )
    listed = rule_summary.table(built.checked.rules) if every_rule else ()
    for line in (
        *built.advice,
        *listed,
        *rule_summary.summary(built.checked.rules, verbose=Verbosity.verbose),
    ):
        inform(f.printable(line), best_effort=True)


_MOST_DIFFERING = 5
"""Maximum number of files that are named if a build would change them."""


def _show_difference(differing: list[Path], target: Path) -> NoReturn:
    """Show which files a build would change, and stop with the exit code."""
    if not differing:
        inform(f"{shown(target)}: as a build makes it")
        end(findings=differing)
    named = ", ".join(shown(path) for path in differing[:_MOST_DIFFERING])
    more = len(differing) - _MOST_DIFFERING
    rest = f" and {counted(more, 'other file')}" if more > 0 else ""
    differs = "differs" if len(differing) == 1 else "differ"
    problem = f"{named}{rest} {differs} from what a build makes"
    stop(1, f"{problem}: run `defectors-data build`, and commit the result.")


def _scratch(stack: ExitStack) -> Path:
    """Return a temporary folder, which is removed with `stack`."""
    from tempfile import TemporaryDirectory  # noqa: PLC0415  # slow to import

    return Path(stack.enter_context(TemporaryDirectory(prefix="defectors-data-")))


def _places(root: str | None, out: str | None, stack: ExitStack) -> tuple[Path, Path, str]:
    """Return the folders of the corpus and of the build, and the folder or address to publish to.

    A corpus at an address is downloaded to a temporary folder. To publish to an address, a
    temporary folder is built.
    """
    from defectors_data.distributed import object_store  # noqa: PLC0415

    if root and object_store.is_address(root):
        folder = _scratch(stack)
        published = out or f"{root.rstrip('/')}/dist"
        arguments.keep_addresses_apart(root, published)
        object_store.download(root, folder)
    else:
        given = object_store.folder_of(root) if root else None
        folder = arguments.project(given)
        published = out or str(folder / "dist")
    if object_store.is_address(published):
        object_store.refuse_full(published)
        return folder, _scratch(stack) / "dist", published
    target = object_store.folder_of(published) if "://" in published else Path(published)
    arguments.keep_apart(folder, target)
    return folder, target, str(target)


def _executor(
    corpus: CorpusReader, scheduler: str | None, jobs: int | None, stack: ExitStack
) -> Executor:
    """Return an executor for this machine or for a Dask cluster."""
    if not scheduler:
        return arguments.executor(corpus, jobs)
    from defectors_data.distributed import dask_executor  # noqa: PLC0415

    return stack.enter_context(dask_executor.cluster(scheduler, jobs or arguments.cores()))


def _build_errors() -> Ends:
    """Return the exit code and message for each error of a build."""
    from defectors_data.distributed import dask_executor, object_store  # noqa: PLC0415

    return {
        object_store.UnreachableError: ExitStatus(
            2, lambda error: f"{error} Nothing was published."
        ),
        dask_executor.ClusterError: ExitStatus(3, lambda error: f"Nothing was published: {error}."),
        **publishing_errors("nothing was published"),
    }


def shard(
    out: Annotated[
        Path,
        typer.Option(
            metavar="FOLDER", help="The folder to write the shards to. It must not exist yet."
        ),
    ],
    root: Root = None,
    size: Annotated[
        int, typer.Option(min=1, max=1_000_000, metavar="N", help="Sources per shard.")
    ] = 2000,
) -> None:
    """Write the corpus as shards: JSON Lines and Parquet.

    Sources are written in the order of their ids.
    """
    folder = arguments.project(root)
    arguments.keep_apart(folder, out, also=("dist",))
    # `samefile`, because the same folder may have another spelling or be reached by a link.
    if out.exists() and out.samefile(folder):
        stop(1, f"{shown(out)} is the project itself: choose another folder. Nothing was written.")
    if out.exists():
        stop(2, f"{out} already exists, and was not changed.")
    with stop_on(publishing_errors("nothing was written")), steps() as step:
        arguments.clear_unfinished(folder)
        done = shard_writer.write_shards(folder, out, size=size, on_progress=progress.rate(step))
    report(done.findings, folder)
    sources = counted(done.sources, "source")
    inform(f"{shown(out)}: {sources} in {counted(done.shards, 'shard')}", best_effort=True)


def schema(
    root: Root = None,
    only_check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with code 1 if a file differs.")
    ] = False,
) -> None:
    """Write the schemas of files and tables to schema/."""
    folder = arguments.project(root) / "schema"
    files = schemas.files()
    current = {name: (folder / name).read_bytes() for name in files if (folder / name).is_file()}
    differing = [name for name, data in files.items() if current.get(name) != data]
    if only_check:
        for name in differing:
            say(f"{shown(folder / name)}: differs from the models; run `defectors-data schema`.")
        end(findings=differing)
    atomic_publication.recover(folder.parent / "dist")
    for name in differing:
        atomic_publication.save(folder / name, files[name])
    inform(f"{shown(folder)}: {len(differing)} written, {len(files)} in all")

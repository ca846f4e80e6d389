"""The page's web server: only for requests from this machine with its secret token."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send
from watchfiles import Change, awatch

from defectors_data.annotators.word_search import WordsNotFoundError, nearest_extent
from defectors_data.annotators.workbench.forms import FORMS
from defectors_data.annotators.workbench.record_edits import (
    accepted,
    added,
    changed,
    deleted,
    moved,
    quoted,
)
from defectors_data.annotators.workbench.record_fields import RequestError, Value, Values
from defectors_data.annotators.workbench.shown_records import KINDS, SAME_AS
from defectors_data.documents import codebook
from defectors_data.documents.article import asset, rendered
from defectors_data.models.closed_vocabularies import MEANINGS
from defectors_data.text.offsets import Span

if TYPE_CHECKING:
    from defectors_data.annotators.workbench.project_files import EditedProject

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
_TEMPLATES = {"article": "page.html", "part": "article.html", "compare": "compare.html"}
_TYPES = {
    "filters.js": "text/javascript",
    "selection.js": "text/javascript",
    "forms.js": "text/javascript",
    "records.js": "text/javascript",
    "keys.js": "text/javascript",
    "compare.js": "text/javascript",
    "style.css": "text/css",
}


class Guard:
    """Middleware that rejects requests without the token, to another host, or of another origin."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        """Wrap an application."""
        self.app, self.token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request with 403, or forward it and add the headers that restrict the page."""
        if scope["type"] == "lifespan":  # the server's start and end
            return await self.app(scope, receive, send)
        if scope["type"] != "http":  # a websocket, which the page never opens
            return None
        if not self._is_allowed(scope):
            return await PlainTextResponse("Refused.", 403)(scope, receive, send)

        async def confined(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        return await self.app(scope, receive, confined)

    def _is_allowed(self, scope: Scope) -> bool:
        headers = {}
        for name, value in scope["headers"]:
            headers[name.decode("latin-1")] = value.decode("latin-1")
        port = scope["server"][1]
        own = f"http://{headers.get('host')}"
        token, *rest = scope["path"].removeprefix("/").split("/")
        return (
            # The host name of another site may resolve to this machine (DNS rebinding).
            headers.get("host") in (f"127.0.0.1:{port}", f"localhost:{port}")
            # Any page in the same browser can send requests here, but cannot hide its origin.
            # Programs and older browsers may send neither header; they still need the token.
            and headers.get("origin", own) == own
            and headers.get("sec-fetch-site", "none") in ("none", "same-origin")
            # The comparison takes constant time, so that the token cannot be guessed.
            and secrets.compare_digest(token.encode(), self.token.encode())
            and ".." not in rest
        )


def application(
    project: EditedProject, *, token: str, stopping: asyncio.Event | None = None
) -> Guard:
    """Return the application for the address `http://127.0.0.1:PORT/TOKEN/`.

    Setting `stopping` ends its streams.
    """

    def first(_: Request) -> Response:
        if project.compared:
            return RedirectResponse(f"/{token}/compare/{project.compared.stems()[0]}")
        return RedirectResponse(f"/{token}/article/{project.stems()[0]}")

    def served(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _TYPES:
            return PlainTextResponse("There is no such file.", 403)
        return Response(asset(name), media_type=_TYPES[name])

    def page(request: Request) -> Response:
        template = _TEMPLATES.get(request.path_params["template"])
        if not template:
            return PlainTextResponse("Refused.", 403)
        return _answered(lambda: _page(project, request.path_params["stem"], template))

    async def act(request: Request) -> Response:
        action, stem = _ACTIONS.get(request.path_params["action"]), request.path_params["stem"]
        body = await request.body()
        if not action:
            return PlainTextResponse("There is no such action.", 403)
        # A check takes a long time, and would delay the stream of changes.
        answer = partial(_action_answer, action, project, stem, body)
        return await run_in_threadpool(_answered, answer)

    def definitions(_: Request) -> Response:
        return _answered(lambda: _codebook(project))

    routes = [
        Route("/", first),
        Route("/assets/{name}", served),
        Route("/codebook", definitions),
        Route("/changes", _changes(project, stopping)),
        Route("/{template}/{stem}", page),
        Route("/{action}/{stem}", act, methods=["POST"]),
    ]
    return Guard(Starlette(routes=[Mount(f"/{token}", routes=routes)]), token)


class Server(uvicorn.Server):
    """A server that calls a function at its start, and ends streams before it stops."""

    def __init__(
        self, config: uvicorn.Config, stopping: asyncio.Event, on_start: Callable[[], object]
    ) -> None:
        """Set the event that ends streams, and the function."""
        super().__init__(config)
        self.stopping, self.on_start = stopping, on_start

    async def startup(self, sockets: Any = None) -> None:
        """Start, and call the function."""
        await super().startup(sockets)
        self.on_start()

    async def shutdown(self, sockets: Any = None) -> None:
        """End the streams, and stop."""
        self.stopping.set()
        await super().shutdown(sockets)


def serve(
    project: EditedProject, stem: str, *, port: int, on_start: Callable[[str], object]
) -> None:
    """Serve the page of a project until a signal stops it; `on_start` is called with its address.

    With port 0, any free port is used.
    """
    token, stopping = secrets.token_urlsafe(24), asyncio.Event()
    app = application(project, token=token, stopping=stopping)
    config = uvicorn.Config(
        app, "127.0.0.1", port, log_level="error", access_log=False, lifespan="off"
    )
    # The socket is bound before the start, because only then the number of a free port is known.
    with closing(config.bind_socket()) as opened:
        page = "compare" if project.compared else "article"
        address = f"http://127.0.0.1:{opened.getsockname()[1]}/{token}/{page}/{stem}"
        Server(config, stopping, lambda: on_start(address)).run(sockets=[opened])


KEYS = {
    "testimony": "t",
    "figure": "f",
    "mention": "m",
    "waiver": "w",
    "erratum": "i",
    "boilerplate": "b",
    "reading": "r",
}
"""The key that opens the form for a new record, by kind."""


def _codebook(project: EditedProject) -> Response:
    """Return a page with the rules of the codebook and the definitions of all values."""
    vocabulary = project.document(project.stems()[0]).context.vocabulary.content
    lists = {}
    for name, terms in vocabulary.lists_of_terms():
        if terms:
            lists[name] = {term.term: term.definition for term in terms}
    shown = {"rules": codebook.rules(), "lists": {**lists, **MEANINGS}}
    return HTMLResponse(rendered("codebook.html", shown))


def _page(project: EditedProject, stem: str, template: str) -> Response:
    if template == _TEMPLATES["compare"]:
        return HTMLResponse(rendered(template, _comparison(project, stem)))
    article = project.article(stem)
    shown = {
        "article": article,
        "articles": [article],
        "stems": project.stems(),
        "keys": KEYS,
        "kinds": list(KINDS.values()),
        "stem": stem,
        "editable": True,
    }
    return HTMLResponse(rendered(template, shown))


def _comparison(project: EditedProject, stem: str) -> dict[str, object]:
    pair = project.compared
    if pair is None:
        raise RequestError("No readings are compared.")
    return {
        "first": pair.first,
        "second": pair.second,
        "stem": stem,
        "stems": pair.stems(),
        "differences": pair.differences(stem),
    }


def _changes(
    project: EditedProject, stopping: asyncio.Event | None
) -> Callable[[Request], Response]:
    async def stream() -> AsyncIterator[str]:
        yield "retry: 500\n\n"  # milliseconds until a browser that lost the connection tries again
        watched = [project.root / name for name in ("annotations", "seeds", "dataset.yaml")]
        # A watch that is cancelled, when its page is closed, sets its event: each page has its own.
        ending = asyncio.Event()
        stopped = None
        if stopping:
            stopped = asyncio.ensure_future(stopping.wait())
        if stopped:
            stopped.add_done_callback(lambda _: ending.set())
        try:
            is_watching = True
            while is_watching:
                is_watching, is_told = False, False
                paths = [path for path in watched if path.exists()]
                async for found in awatch(
                    *paths,
                    debounce=100,
                    step=20,
                    stop_event=ending,
                    rust_timeout=1000,
                    yield_on_timeout=True,
                ):
                    # What changed before the watch began is told once, as it is not in `found`.
                    if found or not is_told:
                        yield "data: changed\n\n"
                    is_told = True
                    # An editor may replace the file, of which the watch then ends.
                    if (Change.deleted, str(watched[-1])) in found:
                        is_watching = True
                        break
        finally:
            if stopped:
                stopped.cancel()

    def changes(_: Request) -> Response:
        return StreamingResponse(stream(), media_type="text/event-stream")

    return changes


# ---- actions -------------------------------------------------------------------------------------


class _MalformedRequestError(RequestError):
    """The body of a request is not valid."""

    status = 400

    def __init__(self) -> None:
        super().__init__("The request is not valid.")


class _ActionRequest(NamedTuple):
    """The body of a request for an action."""

    sha256: str
    id: str
    kind: str
    spans: list[Span]
    values: Values
    press: str
    """The id of the press of a key or button on the page that makes the request."""


_DEEPEST = 6
"""The deepest nesting of the values of a form."""


def _asked(body: bytes) -> _ActionRequest:
    """Parse the body of a request.

    Raises:
        _MalformedRequestError: the body is not valid.
    """
    try:
        given = json.loads(body)
        keys = ("sha256", "id", "kind", "press")
        sha256, record, kind, press = (str(given.get(key, "")) for key in keys)
        spans = [Span(int(start), int(end)) for start, end in given.get("spans", ())]
        values = {str(key): _value(value, 1) for key, value in given.get("values", {}).items()}
        # Fails for half of a surrogate pair.
        json.dumps([sha256, record, kind, values], ensure_ascii=False).encode()
    # The parser raises `RecursionError` for deep nesting, and `int` `OverflowError` for infinity.
    except (AttributeError, TypeError, ValueError, RecursionError, OverflowError) as error:
        raise _MalformedRequestError from error
    are_spans = all(0 <= span.start < span.end for span in spans)
    if not are_spans or (kind and kind not in FORMS):
        raise _MalformedRequestError
    return _ActionRequest(sha256, record, kind, spans, values, press)


def _value(given: Any, depth: int) -> Value:
    """Return a value of a form: text, a mapping or a list.

    Raises:
        ValueError: the value is nested too deep.
    """
    if depth > _DEEPEST:
        raise ValueError
    if isinstance(given, dict):
        return {str(key): _value(each, depth + 1) for key, each in given.items()}
    if isinstance(given, list):
        return [_value(each, depth + 1) for each in given]
    return str(given).strip()


def _proposed(project: EditedProject, stem: str, asked: _ActionRequest) -> object:
    if not asked.kind or not asked.spans:
        raise RequestError("No words are selected.")
    spans, fields = project.proposed(stem, asked.kind, asked.spans[0], asked.id)
    text = project.document(stem).text
    parts = [{"span": span, "text": text[slice(*span)]} for span in spans]
    return {"parts": parts, "fields": [field.as_json() for field in fields]}


def _suggested(project: EditedProject, stem: str, asked: _ActionRequest) -> object:
    if not asked.spans:
        raise RequestError("No words are selected.")
    return project.kind_at(stem, asked.spans[0])


def _added(project: EditedProject, stem: str, asked: _ActionRequest) -> object:
    given = asked.kind, asked.spans, asked.values, asked.id
    return project.edit(stem, asked.sha256, lambda document: added(document, *given))


def _current(project: EditedProject, stem: str, asked: _ActionRequest) -> object:
    return [field.as_json() for field in project.current(stem, asked.id)]


def _quoted(project: EditedProject, stem: str, asked: _ActionRequest) -> object:
    return quoted(project.document(stem), asked.id)


def _changed(project: EditedProject, stem: str, asked: _ActionRequest) -> object:
    other = str(asked.values.get(SAME_AS, ""))
    if "/" in other:  # a speaker of another article
        return project.share(stem, asked.sha256, asked.id, other)
    planned = partial(changed, record=asked.id, values=asked.values)
    return project.edit(stem, asked.sha256, planned, asked.press)


def _moved(project: EditedProject, stem: str, asked: _ActionRequest) -> object:
    planned = partial(moved, record=asked.id, spans=asked.spans)
    return project.edit(stem, asked.sha256, planned, asked.press)


def _accepted(project: EditedProject, stem: str, asked: _ActionRequest) -> object:
    return project.edit(stem, asked.sha256, partial(accepted, record=asked.id), asked.press)


def _all_accepted(project: EditedProject, stem: str, asked: _ActionRequest) -> object:
    project.accept_ready(stem, asked.sha256, asked.id.split())
    return None


def _deleted(project: EditedProject, stem: str, asked: _ActionRequest) -> object:
    return project.edit(stem, asked.sha256, partial(deleted, record=asked.id))


def _undone(project: EditedProject, _: str, __: _ActionRequest) -> object:
    return project.undo()


def _found(project: EditedProject, _: str, asked: _ActionRequest) -> object:
    hits = project.search(str(asked.values.get("words", "")))
    return [hit._asdict() for hit in hits]


def _extent(project: EditedProject, stem: str, asked: _ActionRequest) -> object:
    if not asked.spans:
        raise RequestError("No words are selected.")
    typed, text = str(asked.values.get("words", "")), project.document(stem).text
    try:
        return nearest_extent(typed, text, asked.spans[0])
    except WordsNotFoundError as error:
        raise RequestError(str(error)) from error


def _decided(project: EditedProject, stem: str, asked: _ActionRequest) -> object:
    if project.compared is None:
        raise RequestError("No readings are compared.")
    given = str(asked.values.get("number", ""))
    number = int(given) if given.isdecimal() else 0
    choice, reason = (str(asked.values.get(key, "")) for key in ("choice", "reason"))
    return project.compared.decide(stem, number, choice, reason)


_Action: TypeAlias = Callable[["EditedProject", str, _ActionRequest], object]
_ACTIONS: dict[str, _Action] = {
    "suggest": _suggested,
    "propose": _proposed,
    "add": _added,
    "current": _current,
    "quoted": _quoted,
    "change": _changed,
    "move": _moved,
    "accept": _accepted,
    "accept-all": _all_accepted,
    "delete": _deleted,
    "undo": _undone,
    "search": _found,
    "extent": _extent,
    "decide": _decided,
}


def _action_answer(action: _Action, project: EditedProject, stem: str, body: bytes) -> Response:
    return JSONResponse(action(project, stem, _asked(body)))


def _answered(answer: Callable[[], Response]) -> Response:
    """Return the response of `answer`, or an error: its status is that of the `RequestError`."""
    try:
        return answer()
    except RequestError as error:
        asked = {"fields": error.fields} if error.fields else {}
        return JSONResponse({"message": str(error), **asked}, error.status)

"""What schemathesis cannot know: what exists, and the rules that no JSON Schema can say.

rules.json names those one by one, each with a request that breaks it; test/contract/fuzz-rules.test.ts sends them all.
No check is changed here: calls are led to where there is something to check.
"""

import json
import os
import re
import zlib
from urllib.parse import quote

import schemathesis

WORLD = json.loads(os.environ.get("FUZZ_WORLD", '{"ids": {}, "sources": []}'))

with open(os.path.join(os.path.dirname(__file__), "rules.json"), encoding="utf-8") as file:
    RULES = json.load(file)
COMPILED = [(rule, re.compile(rule["message"])) for rule in RULES]


def message_of(response):
    try:
        return response.json()["error"]["message"]
    except Exception:
        return None


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Drops "valid data were refused" where the refusal is one of the named rules."""
    if type(failure).__name__ != "RejectedPositiveData":
        return True
    message = message_of(response)
    if message is None:
        return True
    operation = case.operation.definition.raw.get("operationId")
    patterns = [
        pattern
        for rule, pattern in COMPILED
        if response.status_code == rule["status"] and operation in rule.get("operations", [operation])
    ]
    # Several findings stand side by side: each must be one of the rules.
    return not all(any(pattern.fullmatch(one) for pattern in patterns) for one in message.split("; "))


def draws(case):
    """Numbers that are the same whenever the same case comes again, so that a failure can be shrunk and replayed."""
    sent = repr((case.path, case.path_parameters, case.query, case.body))
    return lambda name: zlib.crc32(f"{name} {sent}".encode("utf-8", "surrogatepass"))


def documented(case, name):
    """The description's example of a path parameter."""
    parameters = case.operation.definition.raw.get("parameters", [])
    return next((one.get("example") for one in parameters if one.get("name") == name), None)


def use_known_ids(case, draw):
    """Three of four ids, and every one that is only the description's example, become one that exists."""
    is_linked = case.meta.phase.name.value == "stateful"
    for name, sent in list(case.path_parameters.items()):
        known = WORLD["ids"].get(case.operation.path.split("/{" + name + "}")[0], [])
        number = draw(name)
        # Links of the stateful phase bring ids of their own.
        if known and (sent == documented(case, name) or (number % 4 and not is_linked)):
            case.path_parameters[name] = known[number // 4 % len(known)]


def source_of(case, number):
    """The source of the connection that the path names, else any."""
    named = case.path_parameters.get("id")
    return next(
        (source for source in WORLD["sources"] if source["connection"] == named),
        WORLD["sources"][number % len(WORLD["sources"])],
    )


def use_known_source(case, draw):
    """Three of four bodies that are about a source speak of one that there is: the rest end at its name."""
    operation = case.operation.definition.raw.get("operationId")
    if operation not in ("createConnection", "updateConnection", "startSync") or not isinstance(case.body, dict):
        return
    if not WORLD["sources"] or draw("is known") % 4 == 0:
        return
    source = source_of(case, draw("source"))
    scopes = source["scopes"][draw("scopes") % len(source["scopes"]) :]
    own = {
        "external_source_code": source["code"],
        "enabled_scopes": scopes,
        "scopes": scopes,
        "credentials": source["credentials"],
        "metadata": source["metadata"],
    }
    # What is not said is not added; each stays as generated now and then.
    for name, value in own.items():
        if name in case.body and draw(name) % 4:
            case.body[name] = value


def use_known_cursor(case, draw):
    """Three of four cursors become one that the feed gave: of all scopes of the connection, or of tenders."""
    operation = case.operation.definition.raw.get("operationId")
    if operation not in ("listChanges", "listTenderChanges") or "cursor" not in (case.query or {}):
        return
    connection = case.path_parameters.get("id") if operation == "listChanges" else "tenders"
    known, number = WORLD.get("cursors", {}).get(connection), draw("cursor")
    if known and number % 4:
        case.query["cursor"] = known[number // 4 % len(known)]
        case.query.pop("scope", None)


# The gateway itself refuses a request line that is longer, with an answer of its own.
LINE_CHARS = 8_000


def keep_to_the_line(case):
    """A cursor of too many letters is still one when each of them takes one byte."""
    cursor = (case.query or {}).get("cursor")
    if isinstance(cursor, str) and len(quote(cursor)) > LINE_CHARS:
        case.query["cursor"] = "x" * min(len(cursor), LINE_CHARS)


def use_fresh_key(case, draw):
    """The description's example of an Idempotency-Key comes again and again: behind it all but the first body hide."""
    example = case.operation.schema.raw_schema["components"]["parameters"]["IdempotencyKey"]["example"]
    for name in list(case.headers):
        if name.lower() == "idempotency-key" and case.headers[name] == example:
            case.headers[name] = f"fuzz-{draw(name)}"


# The last label of an address is a number or in brackets: those are left as they are, to be refused.
PUBLIC_HOST = re.compile(r"^(https?://)(?:[^/?#@]*\.)?[^\d\[\]./?#@:][^./?#@:]*\.?(?=[/?#:]|$)", re.IGNORECASE)


def keep_to_this_machine(case):
    """Nobody's server is called because its name came up: names under .invalid resolve nowhere (RFC 2606)."""
    if isinstance(case.body, dict) and isinstance(case.body.get("url"), str):
        case.body["url"] = PUBLIC_HOST.sub(r"\1fuzz.invalid", case.body["url"])


def spare_known_ids(case):
    """What the fuzzer made itself it may delete: the rest is what there is to look at."""
    for name, sent in list(case.path_parameters.items()):
        if any(sent in known for known in WORLD["ids"].values()):
            case.path_parameters[name] = documented(case, name)


@schemathesis.hook
def before_call(context, case, kwargs):
    draw = draws(case)
    keep_to_this_machine(case)
    keep_to_the_line(case)
    use_fresh_key(case, draw)
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if case.method == "DELETE":
        spare_known_ids(case)
        return
    use_known_ids(case, draw)
    use_known_cursor(case, draw)
    use_known_source(case, draw)

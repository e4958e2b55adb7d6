"""Hooks that give schemathesis the ids of existing data, and the rules that JSON Schema cannot express.

rules.json lists these rules, each with a request that breaks the rule; test/contract/fuzz-rules.test.ts sends all of
these requests. The hooks change no check of schemathesis: they direct requests to existing data, because a response
about missing data leaves little to check.
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
    """Ignores the failure "valid data was refused" if the response names only rules that rules.json lists."""
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
    # A message may contain several findings, and each finding must match one of the rules.
    return not all(any(pattern.fullmatch(one) for pattern in patterns) for one in message.split("; "))


def draws(case):
    """Returns a function that draws numbers. They are equal for equal cases, so that a failure can be replayed."""
    sent = repr((case.path, case.path_parameters, case.query, case.body))
    return lambda name: zlib.crc32(f"{name} {sent}".encode("utf-8", "surrogatepass"))


def documented(case, name):
    """Returns the example of a path parameter in the API description, or None."""
    parameters = case.operation.definition.raw.get("parameters", [])
    return next((one.get("example") for one in parameters if one.get("name") == name), None)


def use_known_ids(case, draw):
    """Replaces three quarters of the ids, and every id that is the description's example, by an existing id."""
    is_linked = case.meta.phase.name.value == "stateful"
    for name, sent in list(case.path_parameters.items()):
        known = WORLD["ids"].get(case.operation.path.split("/{" + name + "}")[0], [])
        number = draw(name)
        # In the stateful phase, links provide ids of existing data, which are not replaced.
        if known and (sent == documented(case, name) or (number % 4 and not is_linked)):
            case.path_parameters[name] = known[number // 4 % len(known)]


def source_of(case, number):
    """Returns the source of the connection in the path, or any source if the path has no known connection."""
    named = case.path_parameters.get("id")
    return next(
        (source for source in WORLD["sources"] if source["connection"] == named),
        WORLD["sources"][number % len(WORLD["sources"])],
    )


def use_known_source(case, draw):
    """Sets an existing source in three quarters of the bodies. The API refuses the other bodies for their source."""
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
    # Missing fields are not added, and a quarter of the fields keep their generated value.
    for name, value in own.items():
        if name in case.body and draw(name) % 4:
            case.body[name] = value


def use_known_cursor(case, draw):
    """Replaces three quarters of the cursors by a cursor from the feed of the connection (all scopes) or of tenders."""
    operation = case.operation.definition.raw.get("operationId")
    if operation not in ("listChanges", "listTenderChanges") or "cursor" not in (case.query or {}):
        return
    connection = case.path_parameters.get("id") if operation == "listChanges" else "tenders"
    known, number = WORLD.get("cursors", {}).get(connection), draw("cursor")
    if known and number % 4:
        case.query["cursor"] = known[number // 4 % len(known)]
        case.query.pop("scope", None)


# Limit for a cursor, because the gateway refuses a request line that is too long with its own response.
LINE_CHARS = 8_000


def keep_to_the_line(case):
    """Replaces a cursor that is too long for the request line by a cursor of at most `LINE_CHARS` characters."""
    cursor = (case.query or {}).get("cursor")
    if isinstance(cursor, str) and len(quote(cursor)) > LINE_CHARS:
        case.query["cursor"] = "x" * min(len(cursor), LINE_CHARS)


def use_fresh_key(case, draw):
    """Replaces the description's example of an Idempotency-Key, because only the first body with a key is tested."""
    example = case.operation.schema.raw_schema["components"]["parameters"]["IdempotencyKey"]["example"]
    for name in list(case.headers):
        if name.lower() == "idempotency-key" and case.headers[name] == example:
            case.headers[name] = f"fuzz-{draw(name)}"


# Matches URLs with a host name. URLs with an IP address (brackets, or a last label that is a number) are not replaced,
# because the API refuses them.
PUBLIC_HOST = re.compile(r"^(https?://)(?:[^/?#@]*\.)?[^\d\[\]./?#@:][^./?#@:]*\.?(?=[/?#:]|$)", re.IGNORECASE)


def keep_to_this_machine(case):
    """Replaces host names in the body, to prevent calls to real servers: .invalid never resolves (RFC 2606)."""
    if isinstance(case.body, dict) and isinstance(case.body.get("url"), str):
        case.body["url"] = PUBLIC_HOST.sub(r"\1fuzz.invalid", case.body["url"])


def spare_known_ids(case):
    """Prevents that the fuzzer deletes the data that existed at the start, because other requests need this data."""
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

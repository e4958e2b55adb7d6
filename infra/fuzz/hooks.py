"""What schemathesis cannot know: ids that exist, and the rules that no JSON Schema can say.

rules.json names those one by one, each with a request that breaks it; test/contract/fuzz-rules.test.ts sends them all.
"""

import json
import os
import re
import zlib

import schemathesis

WORLD = json.loads(os.environ.get("FUZZ_WORLD", "{}"))

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


@schemathesis.hook
def before_call(context, case, kwargs):
    """Three of four well-formed calls speak of what exists; links of the stateful phase bring ids of their own."""
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or case.method == "DELETE":
        return
    if meta.phase.name.value == "stateful" or not case.path_parameters:
        return
    for name, sent in list(case.path_parameters.items()):
        prefix = case.operation.path.split("/{" + name + "}")[0]
        known = WORLD.get(prefix, [])
        number = zlib.crc32(str(sent).encode("utf-8", "surrogatepass"))
        if known and number % 4:
            case.path_parameters[name] = known[number % len(known)]

# Tells how each scope of a run ended, and a refused request by its code.
import json
import os
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

API, KEY, CONNECTION, RUN = (os.environ[name] for name in ("API", "KEY", "CONNECTION", "RUN"))


def get(path, tries_left=3):
    """429 and 5xx pass: they are repeated, as Retry-After says. Any other refusal stays one."""
    try:
        with urlopen(Request(API + path, headers={"authorization": f"Bearer {KEY}"}), timeout=60) as answer:
            return json.load(answer)
    except HTTPError as refusal:
        if (refusal.code != 429 and refusal.code < 500) or tries_left == 0:
            return json.load(refusal)
        time.sleep(float(refusal.headers.get("retry-after", 2)))
        return get(path, tries_left - 1)


for outcome in get(f"/connections/{CONNECTION}/sync-runs/{RUN}")["data"]["scope_outcomes"]:
    print(outcome["scope"], outcome["status"], outcome["error_code"] or "-")
    for notice in outcome["notices"]:
        print("notice", notice["code"])

print("refused", get("/connections/00000000-0000-4000-8000-000000000000")["error"]["code"])

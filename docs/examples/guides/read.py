# Reads again every month that a run brought, whole: rows that are gone at the source are gone in it.
import json
import os
from urllib.request import Request, urlopen

API, KEY, CONNECTION, RUN = (os.environ[name] for name in ("API", "KEY", "CONNECTION", "RUN"))


def get(path):
    request = Request(f"{API}/connections/{CONNECTION}{path}", headers={"authorization": f"Bearer {KEY}"})
    with urlopen(request, timeout=60) as answer:
        return json.load(answer)


run = get(f"/sync-runs/{RUN}")["data"]
outcome = next(one for one in run["scope_outcomes"] if one["scope"] == "rcv")

for period in sorted(outcome["periods"]):
    rows, offset, more = {}, 0, True
    while more:
        page = get(f"/tax-rcv-documents?period={period}&limit=50&offset={offset}")
        rows.update({row["id"]: row for row in page["data"]})
        more = page["pagination"]["has_more"]
        offset += 50
    # Here: replace what you keep of this connection and month by the rows, by their `id`.
    print(period, len(rows))

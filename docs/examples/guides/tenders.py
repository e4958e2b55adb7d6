# Keeps the tenders that an organization reads in SQLite, as they are served: a change names what to read again.
import json
import os
import sqlite3
from urllib.error import HTTPError
from urllib.request import Request, urlopen

API, KEY, MIRROR = (os.environ[name] for name in ("API", "KEY", "MIRROR"))
db = sqlite3.connect(MIRROR, timeout=10)
db.execute("CREATE TABLE IF NOT EXISTS tender_feed (one PRIMARY KEY, cursor)")
db.execute("CREATE TABLE IF NOT EXISTS tenders (codigo, scope, row)")
KEPT = "SELECT cursor FROM tender_feed"


def get(path, without):
    """None where the service answers that status."""
    try:
        request = Request(f"{API}/procurement{path}", headers={"authorization": f"Bearer {KEY}"})
        with urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except HTTPError as refusal:
        if refusal.code != without:
            raise


def read_again(codigo, scope):
    """The tender itself, or every row of its list; nothing where no connection knows the tender any more."""
    path = f"/licitaciones/{codigo}"
    if scope == "licitaciones":
        found = get(path, without=404)
        return [found["data"]] if found else []
    rows, more = [], True
    while more:
        page = get(f"{path}/{scope}?limit=200&offset={len(rows)}", without=404)
        rows += page["data"] if page else []
        more = page is not None and page["pagination"]["has_more"]
    return rows


changes, more = 0, True
while more:
    kept = db.execute(KEPT).fetchone()
    page = get("/changes?limit=200" + (f"&cursor={kept[0]}" if kept else ""), without=410)
    told = page["data"] if page else []
    places = {(one["codigo"], one["scope"]) for one in told}
    if (None, None) in places:  # A connection was deleted: whatever is known may be another reading now.
        places.update(db.execute("SELECT DISTINCT codigo, scope FROM tenders").fetchall())
    read = {place: read_again(*place) for place in places if place != (None, None)}
    with db:  # One transaction: rows and cursor, or neither.
        db.execute("BEGIN IMMEDIATE")
        if db.execute(KEPT).fetchone() != kept:
            continue  # Another run was quicker, its rows are newer: ask again.
        if page:
            db.execute("INSERT OR REPLACE INTO tender_feed VALUES (1, ?)", [page["feed"]["next_cursor"]])
        else:  # cursor_expired
            db.execute("DELETE FROM tender_feed")
            db.execute("DELETE FROM tenders")
        for place, rows in read.items():
            db.execute("DELETE FROM tenders WHERE codigo = ? AND scope = ?", place)
            db.executemany("INSERT INTO tenders VALUES (?, ?, ?)", [[*place, json.dumps(row)] for row in rows])
    changes += len(told)
    more = page is None or page["feed"]["has_more"]
print(changes, "changes")

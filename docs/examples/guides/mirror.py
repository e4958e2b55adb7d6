# Keeps a connection's rows in SQLite as the lists show them. Run it at every event, and now and then besides.
import json
import os
import sqlite3
from urllib.error import HTTPError
from urllib.request import Request, urlopen

API, KEY, CONNECTION, MIRROR = (os.environ[name] for name in ("API", "KEY", "CONNECTION", "MIRROR"))
db = sqlite3.connect(MIRROR, timeout=10)
db.execute("CREATE TABLE IF NOT EXISTS feed (connection PRIMARY KEY, cursor)")
db.execute("CREATE TABLE IF NOT EXISTS rows (connection, scope, id, period, row, PRIMARY KEY (connection, scope, id))")
KEPT = "SELECT cursor FROM feed WHERE connection = ?"
changes, more = 0, True
while more:
    kept = db.execute(KEPT, [CONNECTION]).fetchone()
    path = f"{API}/connections/{CONNECTION}/changes?limit=200" + (f"&cursor={kept[0]}" if kept else "")
    try:
        with urlopen(Request(path, headers={"authorization": f"Bearer {KEY}"}), timeout=60) as answer:
            page = json.load(answer)
    except HTTPError as refusal:
        if refusal.code != 410:
            raise
        page = None
    with db:  # One transaction: rows and cursor, or neither.
        db.execute("BEGIN IMMEDIATE")
        if db.execute(KEPT, [CONNECTION]).fetchone() != kept:
            continue  # Another run was quicker, its rows are newer: ask again.
        if page is None:  # cursor_expired: the rows may not be true any more. Begin again with none.
            for table in ("feed", "rows"):
                db.execute(f"DELETE FROM {table} WHERE connection = ?", [CONNECTION])
            continue
        for one in page["data"]:
            place = [CONNECTION, one["scope"], one["id"]]
            db.execute("DELETE FROM rows WHERE connection = ? AND scope = ? AND id = ?", place)
            if one["change"] != "deleted":
                row = [*place, one["period"], json.dumps(one["row"])]
                db.execute("INSERT INTO rows VALUES (?, ?, ?, ?, ?)", row)
        db.execute("INSERT OR REPLACE INTO feed VALUES (?, ?)", [CONNECTION, page["feed"]["next_cursor"]])
    changes, more = changes + len(page["data"]), page["feed"]["has_more"]
print(changes, "changes")

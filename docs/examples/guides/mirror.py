# Keeps the rows of all connections in SQLite as the lists show them. Run it at every event, and now and then besides.
import json
import os
import sqlite3
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

API, KEY, MIRROR = (os.environ[name] for name in ("API", "KEY", "MIRROR"))
ALL = ""  # Before every connection: the feed that names those with changes.
db = sqlite3.connect(MIRROR, timeout=10)
db.execute("CREATE TABLE IF NOT EXISTS feeds (connection PRIMARY KEY, cursor, named, read)")
db.execute("CREATE TABLE IF NOT EXISTS rows (connection, scope, id, period, row, PRIMARY KEY (connection, scope, id))")
NAME = "INSERT INTO feeds VALUES (?, NULL, 1, 0) ON CONFLICT DO UPDATE SET named = named + 1"
UNREAD = "SELECT connection, cursor, named FROM feeds WHERE read < named ORDER BY connection"
changes = 0
with db:
    db.execute(NAME, [ALL])
while feed := db.execute(UNREAD).fetchone():
    connection, cursor, named = feed
    path = "/changes" if connection == ALL else f"/connections/{connection}/changes"
    request = Request(f"{API}{path}?limit=200" + (f"&cursor={cursor}" if cursor else ""))
    request.add_header("authorization", f"Bearer {KEY}")
    try:
        with urlopen(request, timeout=60) as answer:
            page = json.load(answer)
    except HTTPError as refusal:  # 404: the connection was deleted. 410: the service was restored.
        if refusal.code == 429:  # Too many reads in this minute.
            time.sleep(float(refusal.headers.get("retry-after", 2)))
            continue
        if refusal.code != 410 and (refusal.code != 404 or connection == ALL):
            raise
        page = None
    with db:  # One transaction: rows and cursor, or neither.
        db.execute("BEGIN IMMEDIATE")
        if db.execute("SELECT cursor FROM feeds WHERE connection = ?", [connection]).fetchone() != (cursor,):
            continue  # Another run was quicker, its rows are newer: ask again.
        if page is None:  # Drop the copy, all of it if the service was restored, and begin again.
            for table in ("feeds", "rows"):
                db.execute(f"DELETE FROM {table} WHERE ? IN ('', connection)", [connection])
            db.execute(NAME, [ALL])
            continue
        for one in page["data"]:
            if connection != ALL:
                row = None if one["row"] is None else json.dumps(one["row"])  # Null: deleted.
                place = [connection, one["scope"], one["id"]]
                db.execute("INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, ?)", [*place, one["period"], row])
            elif one["connection_id"]:  # Tenders have none.
                db.execute(NAME, [one["connection_id"]])
        db.execute("DELETE FROM rows WHERE row IS NULL")
        after = [page["feed"]["next_cursor"], 0 if page["feed"]["has_more"] else named, connection]
        db.execute("UPDATE feeds SET cursor = ?, read = max(read, ?) WHERE connection = ?", after)
        changes += len(page["data"]) if connection != ALL else 0
print(changes, "changes")

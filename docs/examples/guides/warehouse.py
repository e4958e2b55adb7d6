# A source for dlt: the rows of all connections into DuckDB. dlt keeps the cursors in the load that carries the rows.
import os

import dlt
from dlt.pipeline.exceptions import PipelineStepFailed
from dlt.sources.helpers import requests

API, KEY, DUCKDB = (os.environ[name] for name in ("API", "KEY", "DUCKDB"))
NOT_FOUND, GONE = 404, 410


class CursorExpired(Exception):
    """The service was restored: the rows that were loaded may not be true any more."""


def get(path, **params):
    """None where the connection was deleted."""
    try:
        return requests.get(API + path, params=params, headers={"authorization": f"Bearer {KEY}"}).json()
    except requests.HTTPError as refusal:
        if refusal.response.status_code == GONE:
            raise CursorExpired from None
        if refusal.response.status_code != NOT_FOUND:
            raise


def pages(path, cursor):
    """The changes since the cursor, page by page, each with the next cursor."""
    more = True
    while more and (page := get(path, limit=200, cursor=cursor)):
        cursor, more = page["feed"]["next_cursor"], page["feed"]["has_more"]
        yield page["data"], cursor


def deletions(connection):
    """One for each row that was loaded of a deleted connection."""
    pipeline = dlt.current.pipeline()
    with pipeline.sql_client() as client:
        for table in pipeline.default_schema.data_table_names():
            name = client.make_qualified_table_name(table)
            for (row_id,) in client.execute_sql(f"SELECT id FROM {name} WHERE connection_id = %s", connection):
                yield {"scope": table, "id": row_id, "is_deleted": True}


def changed_rows(connection, feeds):
    found = get(f"/connections/{connection}")
    if found is None:
        yield from deletions(connection) if feeds.pop(connection, None) else []
        return
    source = found["data"]["external_source_code"]
    for page, cursor in pages(f"/connections/{connection}/changes", feeds.get(connection)):
        for change in page:
            is_deleted = change["change"] == "deleted"
            scope = f"{source}_{change['scope']}"
            yield {**(change["row"] or {}), "id": change["id"], "scope": scope, "is_deleted": is_deleted}
        feeds[connection] = cursor


@dlt.resource(
    table_name=lambda row: row["scope"],
    write_disposition="merge",
    primary_key=("connection_id", "id"),
    columns={
        "is_deleted": {"data_type": "bool", "hard_delete": True},
        # Of several changes of a row in one load the last one counts.
        "change_order": {"data_type": "bigint", "dedup_sort": "desc"},
    },
    max_table_nesting=0,
)
def changes():
    state = dlt.current.resource_state()
    feeds, named, cursor = state.setdefault("feeds", {}), {}, state.get("cursor")
    for page, cursor in pages("/changes", cursor):  # It names each connection with changes.
        named |= {one["connection_id"]: True for one in page if one["connection_id"]}  # Tenders have none.
    order = 0
    for connection in named:
        for row in changed_rows(connection, feeds):
            order += 1
            yield {**row, "connection_id": connection, "change_order": order}
    state["cursor"] = cursor


def load(pipeline):
    if pipeline.has_pending_data:  # What died half-way is finished first.
        pipeline.run()
    try:
        pipeline.run(changes())
    except PipelineStepFailed as failure:
        if not isinstance(failure.exception.__cause__, CursorExpired):
            raise
        pipeline.run(changes(), refresh="drop_sources")
    counts = pipeline.last_trace.last_normalize_info.row_counts
    return sum(rows for table, rows in counts.items() if not table.startswith("_dlt"))


if __name__ == "__main__":
    print(load(dlt.pipeline("connections", destination=dlt.destinations.duckdb(DUCKDB), dataset_name="connections")), "rows")

# A source for dlt: the changes of a connection into DuckDB. dlt keeps the cursor in the load that carries the rows.
import os

import dlt
from dlt.pipeline.exceptions import PipelineStepFailed
from dlt.sources.helpers import requests

API, KEY, CONNECTION, DUCKDB = (os.environ[name] for name in ("API", "KEY", "CONNECTION", "DUCKDB"))
GONE = 410


class CursorExpired(Exception):
    """The service was restored: the rows that were loaded may not be true any more."""


def read(cursor):
    params = {"limit": 200} if cursor is None else {"limit": 200, "cursor": cursor}
    headers = {"authorization": f"Bearer {KEY}"}
    try:
        return requests.get(f"{API}/connections/{CONNECTION}/changes", params=params, headers=headers).json()
    except requests.HTTPError as refusal:
        if refusal.response.status_code == GONE:
            raise CursorExpired from None
        raise


@dlt.resource(
    table_name=lambda row: row["scope"],
    write_disposition="merge",
    primary_key="id",
    columns={
        "is_deleted": {"data_type": "bool", "hard_delete": True},
        # Of several changes of a row in one load the last one counts.
        "change_order": {"data_type": "bigint", "dedup_sort": "desc"},
    },
    max_table_nesting=0,
)
def changes():
    state = dlt.current.resource_state()
    order, more = 0, True
    while more:
        page = read(state.get("cursor"))
        for change in page["data"]:
            order += 1
            yield {
                **(change["row"] or {}),
                "id": change["id"],
                "scope": change["scope"],
                "is_deleted": change["change"] == "deleted",
                "change_order": order,
            }
        state["cursor"] = page["feed"]["next_cursor"]
        more = page["feed"]["has_more"]


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
    name = f"connection_{CONNECTION}"
    print(load(dlt.pipeline(name, destination=dlt.destinations.duckdb(DUCKDB), dataset_name=name)), "rows")

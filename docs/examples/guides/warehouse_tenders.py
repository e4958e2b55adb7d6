# A source for dlt: the tenders that an organization reads, into DuckDB. A change names what to read again.
import os

import dlt
from dlt.pipeline.exceptions import PipelineStepFailed
from dlt.sources.helpers import requests

API, KEY, DUCKDB = (os.environ[name] for name in ("API", "KEY", "DUCKDB"))
NOT_FOUND, GONE = 404, 410


class BeginAgain(Exception):
    """The service was restored, or a connection deleted: rows that no change names may not be true any more."""


def get(path, **params):
    """None where no connection knows the tender any more."""
    try:
        url = f"{API}/procurement{path}"
        return requests.get(url, params=params, headers={"authorization": f"Bearer {KEY}"}).json()
    except requests.HTTPError as refusal:
        if refusal.response.status_code == GONE:
            raise BeginAgain from None
        if refusal.response.status_code != NOT_FOUND:
            raise


def read_again(codigo, scope):
    """The tender itself, or every row of its list."""
    path = f"/licitaciones/{codigo}"
    if scope == "licitaciones":
        found = get(path)
        return [found["data"]] if found else []
    rows, more = [], True
    while more:
        page = get(f"{path}/{scope}", limit=200, offset=len(rows))
        rows += page["data"] if page else []
        more = page is not None and page["pagination"]["has_more"]
    return rows


@dlt.resource(
    table_name=lambda row: row["scope"],
    write_disposition="merge",
    # Rows of a tender take the place of all that the table has of it.
    merge_key="codigo",
    columns={"is_deleted": {"data_type": "bool", "hard_delete": True}},
    max_table_nesting=0,
)
def tenders():
    state = dlt.current.resource_state()
    cursor, changed, more = state.get("cursor"), {}, True
    while more:  # Each tender is read once, when all changes are known.
        page = get("/changes", limit=200, cursor=cursor)
        for change in page["data"]:
            if change["change"] == "changed":
                changed[change["codigo"], change["scope"]] = True
            elif "cursor" in state:
                raise BeginAgain
        cursor = page["feed"]["next_cursor"]
        more = page["feed"]["has_more"]
    for codigo, scope in changed:
        # A deleted row clears the place, and is not put there itself.
        for row in read_again(codigo, scope) or [{"is_deleted": True}]:
            yield {**row, "codigo": codigo, "scope": scope}
    state["cursor"] = cursor


def load(pipeline):
    if pipeline.has_pending_data:  # What died half-way is finished first.
        pipeline.run()
    try:
        pipeline.run(tenders())
    except PipelineStepFailed as failure:
        if not isinstance(failure.exception.__cause__, BeginAgain):
            raise
        pipeline.run(tenders(), refresh="drop_sources")
    counts = pipeline.last_trace.last_normalize_info.row_counts
    return sum(rows for table, rows in counts.items() if not table.startswith("_dlt"))


if __name__ == "__main__":
    print(load(dlt.pipeline("tenders", destination=dlt.destinations.duckdb(DUCKDB), dataset_name="tenders")), "rows")

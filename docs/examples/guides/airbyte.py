# A source for Airbyte: the changes of all connections, a stream for each scope of a source. Its state has the cursors.
import logging
import sys

from airbyte_cdk.entrypoint import launch
from airbyte_cdk.models import ConnectorSpecification, FailureType
from airbyte_cdk.sources import AbstractSource
from airbyte_cdk.sources.streams import CheckpointMixin, Stream
from airbyte_cdk.sources.streams.http import HttpClient
from airbyte_cdk.sources.streams.http.error_handlers import ErrorResolution, HttpStatusErrorHandler, ResponseAction
from airbyte_cdk.sources.streams.http.error_handlers.default_error_mapping import DEFAULT_ERROR_MAPPING
from airbyte_cdk.utils.traced_exception import AirbyteTracedException

LIMIT = 200
# Scopes that a state covers: Airbyte keeps the state after each page of /changes.
NAMED = 50
LOGGER = logging.getLogger("airbyte")
# The rows that were written may not be true any more, and Airbyte removes them only when it is told to.
RESTORED = ErrorResolution(
    ResponseAction.FAIL,
    FailureType.config_error,
    "The service was restored from a backup: clear the data of this connection, and synchronize it again.",
)
DELETED = ErrorResolution(ResponseAction.IGNORE)
CLIENT = HttpClient("feed", LOGGER, HttpStatusErrorHandler(LOGGER, {**DEFAULT_ERROR_MAPPING, 404: DELETED, 410: RESTORED}))
# Beside the columns of a row.
COLUMNS = {
    "connection_id": {"type": "string"},
    # Of two changes of a row a destination takes the larger one, and of equal ones the one that came later.
    "sequence": {"type": "integer"},
    # It removes a row where this is not null.
    "_ab_cdc_deleted_at": {"type": ["string", "null"], "format": "date-time"},
}
CONNECTION = {name: {"type": "string"} for name in ("id", "external_source_code", "name", "status")}


def ask(config, path, **params):
    """None where the connection was deleted."""
    headers = {"authorization": f"Bearer {config['api_key']}"}
    _, answer = CLIENT.send_request("GET", config["api"] + path, {"timeout": 60}, headers, params)
    return answer.json() if answer.ok else None


def pages(config, path, limit, cursor):
    """The changes since the cursor, page by page, each with the next cursor."""
    more = True
    while more and (page := ask(config, path, limit=limit, cursor=cursor)):
        cursor, more = page["feed"]["next_cursor"], page["feed"]["has_more"]
        yield page["data"], cursor


def connections(config):
    offset, more = 0, True
    while more:
        page = ask(config, "/connections", limit=LIMIT, offset=offset)
        yield from page["data"]
        offset, more = offset + LIMIT, page["pagination"]["has_more"]


class Connections(Stream):
    """Those that exist: rows of others stay at the destination, since a source cannot name them after a deletion."""

    primary_key, name = "id", "connections"

    def __init__(self, config):
        self.config = config

    def get_json_schema(self):
        return {"type": "object", "properties": CONNECTION}

    def read_records(self, sync_mode, cursor_field=None, stream_slice=None, stream_state=None):
        yield from ({name: one[name] for name in CONNECTION} for one in connections(self.config))


class Changes(Stream, CheckpointMixin):
    primary_key = ["connection_id", "id"]
    cursor_field = "sequence"
    name = state = None

    def __init__(self, config, sources, source, scope, columns):
        self.config, self.sources, self.source, self.scope, self.columns = config, sources, source, scope, columns
        self.name, self.state = f"{source}_{scope}", {}

    def get_json_schema(self):
        return {"type": "object", "properties": {**self.columns, **COLUMNS}}

    def is_own(self, connection):
        if connection not in self.sources:
            found = ask(self.config, f"/connections/{connection}")
            self.sources[connection] = found and found["data"]["external_source_code"]
        return self.sources[connection] == self.source

    def stream_slices(self, **_):
        """A page of the feed that names the connections with changes."""
        for page, cursor in pages(self.config, "/changes", NAMED, self.state.get("cursor")):
            named = [one["connection_id"] for one in page if one["scope"] == self.scope]
            yield {"named": [each for each in named if self.is_own(each)], "cursor": cursor}

    def read_records(self, sync_mode, cursor_field=None, stream_slice=None, stream_state=None):
        feeds = dict(self.state.get("feeds", {}))
        for connection in stream_slice["named"]:
            path = f"/connections/{connection}/changes?scope={self.scope}"
            for page, cursor in pages(self.config, path, LIMIT, feeds.get(connection)):
                for change in {one["id"]: one for one in page}.values():
                    yield {
                        **(change["row"] or change["key"] or {}),
                        "connection_id": connection,
                        "id": change["id"],
                        "sequence": change["sequence"],
                        "_ab_cdc_deleted_at": change["changed_at"] if change["change"] == "deleted" else None,
                    }
                feeds[connection] = cursor
        self.state = {"cursor": stream_slice["cursor"], "feeds": feeds}


class Source(AbstractSource):
    def spec(self, logger):
        properties = {
            "api": {"type": "string", "description": "Address of the API, up to /api"},
            "api_key": {"type": "string", "airbyte_secret": True},
        }
        return ConnectorSpecification({"type": "object", "required": list(properties), "properties": properties})

    def check_connection(self, logger, config):
        try:
            return next(connections(config), None) is not None, "The key's organization has no connection."
        except AirbyteTracedException as refusal:
            return False, refusal.message

    def streams(self, config):
        schemas, sources, streams = ask(config, "/openapi.json"), {}, {"connections": Connections(config)}
        for one in connections(config):
            source = sources[one["id"]] = one["external_source_code"]
            for scope in one["scopes"]:
                stream = f"{source}_{scope['name']}"
                _, below, name = (scope["data_url"] or "").partition(f"/connections/{one['id']}/")
                if below and stream not in streams:  # Tenders have a feed of their own.
                    answer = schemas["paths"][f"/connections/{{id}}/{name}"]["get"]["responses"]["200"]
                    rows = answer["content"]["application/json"]["schema"]["properties"]["data"]["items"]
                    row = schemas["components"]["schemas"][rows["$ref"].rpartition("/")[2]]
                    streams[stream] = Changes(config, sources, source, scope["name"], row["properties"])
        return list(streams.values())


if __name__ == "__main__":
    launch(Source(), sys.argv[1:])

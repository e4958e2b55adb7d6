# A source for Airbyte: the changes of a connection, a stream for each scope. Its state is the cursor of the feed.
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
LOGGER = logging.getLogger("airbyte")
# The rows that were written may not be true any more, and Airbyte removes them only when it is told to.
RESTORED = ErrorResolution(
    ResponseAction.FAIL,
    FailureType.config_error,
    "The service was restored from a backup: clear the data of this connection, and synchronize it again.",
)
CLIENT = HttpClient("feed", LOGGER, HttpStatusErrorHandler(LOGGER, {**DEFAULT_ERROR_MAPPING, 410: RESTORED}))
# Beside the columns of a row.
COLUMNS = {
    # Of two changes of a row a destination takes the larger one, and of equal ones the one that came later.
    "sequence": {"type": "integer"},
    # It removes a row where this is not null.
    "_ab_cdc_deleted_at": {"type": ["string", "null"], "format": "date-time"},
}


def ask(config, path, **params):
    headers = {"authorization": f"Bearer {config['api_key']}"}
    _, answer = CLIENT.send_request("GET", config["api"] + path, {"timeout": 60}, headers, params)
    return answer.json()


class Changes(Stream, CheckpointMixin):
    primary_key = "id"
    cursor_field = "sequence"
    name = state = None

    def __init__(self, config, scope, columns):
        self.config, self.name, self.columns, self.state = config, scope, columns, {}

    def get_json_schema(self):
        return {"type": "object", "properties": {**self.columns, **COLUMNS}}

    def stream_slices(self, **_):
        """A page each: Airbyte keeps the state after every one."""
        path, cursor, more = f"/connections/{self.config['connection_id']}/changes", self.state.get("cursor"), True
        while more:
            page = ask(self.config, path, scope=self.name, limit=LIMIT, cursor=cursor)
            cursor, more = page["feed"]["next_cursor"], page["feed"]["has_more"]
            yield page

    def read_records(self, sync_mode, cursor_field=None, stream_slice=None, stream_state=None):
        last = {change["id"]: change for change in stream_slice["data"]}
        for change in last.values():
            yield {
                **(change["row"] or change["key"] or {}),
                "id": change["id"],
                "sequence": change["sequence"],
                "_ab_cdc_deleted_at": change["changed_at"] if change["change"] == "deleted" else None,
            }
        self.state = {"cursor": stream_slice["feed"]["next_cursor"]}


class Source(AbstractSource):
    def spec(self, logger):
        properties = {
            "api": {"type": "string", "description": "Address of the API, up to /api"},
            "api_key": {"type": "string", "airbyte_secret": True},
            "connection_id": {"type": "string"},
        }
        return ConnectorSpecification({"type": "object", "required": list(properties), "properties": properties})

    def check_connection(self, logger, config):
        try:
            return bool(self.streams(config)), "The connection has no scopes with rows."
        except AirbyteTracedException as refusal:
            return False, refusal.message

    def streams(self, config):
        schemas = ask(config, "/openapi.json")
        own = f"/connections/{config['connection_id']}/"
        streams = []
        for scope in ask(config, own.rstrip("/"))["data"]["scopes"]:
            _, below, name = (scope["data_url"] or "").partition(own)
            if below:  # Tenders have a feed of their own.
                answer = schemas["paths"][f"/connections/{{id}}/{name}"]["get"]["responses"]["200"]
                rows = answer["content"]["application/json"]["schema"]["properties"]["data"]["items"]
                row = schemas["components"]["schemas"][rows["$ref"].rpartition("/")[2]]
                streams.append(Changes(config, scope["name"], row["properties"]))
        return streams


if __name__ == "__main__":
    launch(Source(), sys.argv[1:])

"""Airbyte's own tests of a source, and a read that is resumed from each state: those of this run, and of the run before."""

import importlib.util
import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import cache
from pathlib import Path

import requests
from airbyte_cdk.models import (
    AirbyteStateMessageSerializer,
    ConfiguredAirbyteCatalog,
    ConfiguredAirbyteStream,
    DestinationSyncMode,
    SyncMode,
    Type,
)
from airbyte_cdk.test import entrypoint_wrapper, standard_tests
from airbyte_cdk.test.models import ConnectorTestScenario, ExpectedOutcome

SOURCE, FOLDER = (Path(os.environ[name]) for name in ("SOURCE", "FOLDER"))
CONFIG = json.loads((FOLDER / "config.json").read_text())
# Records that the previous run emitted.
KEPT = FOLDER / "emitted.json"
BESIDE = {"connection_id", "sequence", "_ab_cdc_deleted_at"}

# Loaded by its path, because the file has the name of a package.
spec = importlib.util.spec_from_file_location("source_under_test", SOURCE)
source = importlib.util.module_from_spec(spec)
spec.loader.exec_module(source)
# Small pages, so that a feed has several and a stream several states.
source.LIMIT, source.NAMED = 20, 2


class TestStandards(standard_tests.SourceTestSuiteBase):
    connector = source.Source

    @classmethod
    def get_connector_root_dir(cls):
        return FOLDER

    @classmethod
    def get_scenarios(cls):
        (FOLDER / "unknown-key.json").write_text(json.dumps({**CONFIG, "api_key": "an unknown key"}))
        return [
            ConnectorTestScenario(config_path="config.json"),
            ConnectorTestScenario(config_path="unknown-key.json", status="failed", sections=("connection",)),
        ]


@cache
def catalog():
    streams = [
        ConfiguredAirbyteStream(stream.as_airbyte_stream(), SyncMode.incremental, DestinationSyncMode.append_dedup)
        for stream in source.Source().streams(CONFIG)
        if stream.name != "connections"
    ]
    return ConfiguredAirbyteCatalog(streams)


def read(state=None):
    """What was emitted: [stream, record, None] or [stream, None, state]."""
    output = entrypoint_wrapper.read(source.Source(), CONFIG, catalog(), state)
    emitted = []
    for message in output.get_message_iterator():
        if message.type == Type.RECORD:
            emitted.append([message.record.stream, message.record.data, None])
        elif message.type == Type.STATE:
            name = message.state.stream.stream_descriptor.name
            emitted.append([name, None, AirbyteStateMessageSerializer.dump(message.state)])
    return emitted


def known(row):
    """The fields that are not null: those are all that Airbyte emits."""
    return {name: value for name, value in row.items() if value is not None and name not in BESIDE}


def written(emitted):
    """As a destination keeps them that removes duplicates: by key, the largest cursor or else the last, if no deletion."""
    last = {}
    for stream, record, _ in emitted:
        if record:
            place = (stream, record["id"])
            if place not in last or last[place]["sequence"] <= record["sequence"]:
                last[place] = record
    return {place: known(record) for place, record in last.items() if "_ab_cdc_deleted_at" not in record}


def listed():
    def get(path):
        answer = requests.get(CONFIG["api"] + path, headers={"authorization": f"Bearer {CONFIG['api_key']}"})
        answer.raise_for_status()
        return answer.json()

    rows = {}
    for connection in get("/connections")["data"]:
        own = f"/api/connections/{connection['id']}/"
        for scope in connection["scopes"]:
            offset, more = 0, (scope["data_url"] or "").startswith(own)
            while more:
                page = get(f"{scope['data_url'].removeprefix('/api')}?limit=200&offset={offset}")
                name = f"{connection['external_source_code']}_{scope['name']}"
                rows.update({(name, row["id"]): known(row) for row in page["data"]})
                offset += len(page["data"])
                more = page["pagination"]["has_more"]
    return rows


def resumed(emitted):
    """For each state: what was emitted before it, and what a read from there brings."""
    states = {}
    for end, (stream, _, state) in enumerate(emitted):
        if state:
            states[stream] = AirbyteStateMessageSerializer.load(state)
            yield emitted[:end], read(list(states.values()))


def test_a_read_goes_on_from_each_state():
    rows = listed()
    former = json.loads(KEPT.read_text()) if KEPT.exists() else []
    now = read()
    assert written(now) == rows
    for emitted in (former, now):
        for before, after in resumed(emitted):
            assert written(before + after) == rows
            # A destination may have written more rows than its stored state covers.
            assert written(emitted + after) == rows
    assert [record for _, record, _ in after if record] == []
    KEPT.write_text(json.dumps(now))
    told = [record for _, record, _ in now if record]
    deleted = [record for record in told if "_ab_cdc_deleted_at" in record]
    states = [state for _, _, state in former + now if state]
    print(json.dumps({"rows": len(rows), "changes": len(told), "deleted": len(deleted), "states": len(states)}))


def test_the_connections_are_those_of_the_list():
    (stream,) = (each for each in source.Source().streams(CONFIG) if each.name == "connections")
    answer = requests.get(f"{CONFIG['api']}/connections", headers={"authorization": f"Bearer {CONFIG['api_key']}"})
    listed_ids = [each["id"] for each in answer.json()["data"]]
    assert [each["id"] for each in stream.read_records(SyncMode.full_refresh)] == listed_ids != []


def test_after_a_restore_it_says_what_to_do():
    *_, (_, _, state) = (emitted for emitted in read() if emitted[2])
    kept = state["stream"]["stream_state"]
    encoded, _, _checksum = kept["cursor"].partition(".")
    version, _, *rest = json.loads(urlsafe_b64decode(encoded + "=="))
    # A cursor without a checksum is still read.
    kept["cursor"] = urlsafe_b64encode(json.dumps([version, "another", *rest]).encode()).decode().rstrip("=")
    output = entrypoint_wrapper.read(
        source.Source(),
        CONFIG,
        catalog(),
        [AirbyteStateMessageSerializer.load(state)],
        expected_outcome=ExpectedOutcome.EXPECT_EXCEPTION,
    )
    messages = [error.trace.error.message for error in output.errors]
    assert any("clear the data of this connection" in message for message in messages), messages

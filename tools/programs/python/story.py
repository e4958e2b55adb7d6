"""What every program does: takes ADDRESS, TOKEN and CONNECTION, and prints one JSON line for run.ts."""

import asyncio
import json
import os
import sys

ADDRESS = os.environ["ADDRESS"]
TOKEN = os.environ["TOKEN"]
HEADERS = {"authorization": f"Bearer {TOKEN}"}
# The id is a UUID of version 7, which AutoGen refused while the schema had a format.
TOOL = "list_periods"
ARGUMENTS = {"connection_id": os.environ["CONNECTION"], "scope": "rcv"}


def answer(tools, called) -> None:
    text = called if isinstance(called, str) else json.dumps(called, default=str)
    print("answer " + json.dumps({"tools": sorted(tools), "called": text}), flush=True)


def run(main) -> None:
    asyncio.run(main())
    sys.stdout.flush()

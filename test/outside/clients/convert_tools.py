"""Converts the published tools with google-genai, as its sessions do. Prints one JSON line: tool -> error or null."""

import json
import sys

from google.genai import _mcp_utils
from mcp import types

results = {}
for tool in json.load(open(sys.argv[1])):
    try:
        converted = _mcp_utils.mcp_to_gemini_tool(types.Tool.model_validate(tool))
        results[tool["name"]] = None if converted.function_declarations else "no declaration"
    except Exception as error:
        results[tool["name"]] = f"{type(error).__name__}: {error}"
print(json.dumps(results))

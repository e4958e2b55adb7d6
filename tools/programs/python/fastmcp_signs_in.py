"""FastMCP's own client signs in from the bare address: run.ts opens the page that it wants to open."""

import os
import webbrowser

# Its log writes the address over several lines.
os.environ["FASTMCP_LOG_LEVEL"] = "ERROR"

from fastmcp import Client

from story import ADDRESS, ARGUMENTS, TOOL, answer, run


def opened(address: str, *_, **__) -> bool:
    print(f"authorize {address}", flush=True)
    return True


webbrowser.open = opened


async def main() -> None:
    async with Client(ADDRESS, auth="oauth") as client:
        tools = await client.list_tools()
        result = await client.call_tool(TOOL, ARGUMENTS)
        answer([tool.name for tool in tools], result.structured_content)


run(main)

"""google-genai: makes function declarations as its sessions do, and calls one through its adapter."""

from google.genai import types
from google.genai._adapters import McpToGenAiToolAdapter
from mcp import ClientSession
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

from story import ADDRESS, ARGUMENTS, HEADERS, TOOL, answer, run


async def main() -> None:
    async with create_mcp_http_client(headers=HEADERS) as http:
        async with streamable_http_client(ADDRESS, http_client=http) as (read, write):
            async with ClientSession(read, write) as session:
                await session.initialize()
                adapter = McpToGenAiToolAdapter(session, await session.list_tools())
                names = [each.name for tool in adapter.tools for each in tool.function_declarations]
                result = await adapter.call_tool(types.FunctionCall(name=TOOL, args=ARGUMENTS))
                answer(names, result.content[0].text)


run(main)

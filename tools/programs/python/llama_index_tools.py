"""LlamaIndex: makes function tools of the server's, and calls one."""

from llama_index.tools.mcp import BasicMCPClient, McpToolSpec

from story import ADDRESS, ARGUMENTS, HEADERS, TOOL, answer, run


async def main() -> None:
    spec = McpToolSpec(client=BasicMCPClient(ADDRESS, headers=HEADERS))
    tools = await spec.to_tool_list_async()
    names = [tool.metadata.to_openai_tool()["function"]["name"] for tool in tools]
    [tool] = [each for each in tools if each.metadata.name == TOOL]
    answer(names, str(await tool.acall(**ARGUMENTS)))


run(main)

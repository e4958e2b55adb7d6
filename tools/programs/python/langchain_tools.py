"""langchain-mcp-adapters: loads LangChain tools, and invokes one."""

from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_mcp_adapters.client import MultiServerMCPClient

from story import ADDRESS, ARGUMENTS, HEADERS, TOOL, answer, run


async def main() -> None:
    client = MultiServerMCPClient({"data": {"transport": "streamable_http", "url": ADDRESS, "headers": HEADERS}})
    tools = await client.get_tools()
    names = [convert_to_openai_tool(tool)["function"]["name"] for tool in tools]
    [tool] = [each for each in tools if each.name == TOOL]
    answer(names, await tool.ainvoke(ARGUMENTS))


run(main)

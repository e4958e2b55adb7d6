/** The AI SDK of Vercel: makes its tools of the server's, with schemas as a provider gets them, and executes one. */
import { createMCPClient } from '@ai-sdk/mcp';
import { asSchema } from 'ai';

const { ADDRESS, TOKEN, CONNECTION } = process.env;
const client = await createMCPClient({
  transport: { type: 'http', url: ADDRESS, headers: { authorization: `Bearer ${TOKEN}` } },
});
try {
  const tools = await client.tools();
  for (const tool of Object.values(tools)) await asSchema(tool.inputSchema).jsonSchema;
  const called = await tools.list_periods.execute(
    { connection_id: CONNECTION, scope: 'rcv' },
    { toolCallId: '1', messages: [] },
  );
  const answer = { tools: Object.keys(tools).sort(), called: JSON.stringify(called) };
  console.log(`answer ${JSON.stringify(answer)}`);
} finally {
  await client.close();
}

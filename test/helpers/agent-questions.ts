/** A scripted agent: it knows only the tools, and follows every cursor. */
import type { Client } from '@modelcontextprotocol/client';
import { callTool, type Structured } from './agent-client.ts';

/** Promised to agents, so it is repeated here and not read from `MCP_LIMITS`. */
const ANSWER_BYTES_MAX = 8_192;

export interface Agent {
  ask(tool: string, args?: object): Promise<Structured>;
  /** The items of all pages under this name. */
  askAll(tool: string, name: string, args?: object): Promise<Structured[]>;
  /** The working connection to a source. */
  connectionTo(source: string): Promise<{ connection_id: string }>;
}

export const agentOf = (client: Client): Agent => {
  const ask = async (tool: string, args: object = {}): Promise<Structured> => {
    const { isError, answer, bytes } = await callTool(client, tool, args);
    if (isError) throw new Error(`${tool}: ${JSON.stringify(answer)}`);
    if (bytes > ANSWER_BYTES_MAX) throw new Error(`${tool} answers ${bytes} bytes`);
    return answer;
  };
  const askAll = async (tool: string, name: string, args: object = {}): Promise<Structured[]> => {
    const found: Structured[] = [];
    for (let cursor: string | undefined; ; ) {
      const answer = await ask(tool, { ...args, ...(cursor === undefined ? {} : { cursor }) });
      found.push(...answer[name]);
      if (answer.next_cursor === null) return found;
      cursor = answer.next_cursor as string;
    }
  };
  return {
    ask,
    askAll,
    connectionTo: async (source) => {
      const connections = await askAll('list_connections', 'connections');
      return { connection_id: connections.find((each) => each.source === source && each.status === 'active').id };
    },
  };
};

/** The group or net of `period_totals` with these values. */
export const groupOf = (groups: readonly Structured[], wanted: Readonly<Record<string, string>>): Structured =>
  groups.find(({ group }) => Object.entries(wanted).every(([field, value]) => group[field] === value)) ?? {
    rows: 0,
    sums: {},
  };

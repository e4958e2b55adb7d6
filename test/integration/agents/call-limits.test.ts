/** The limit of an agent's calls: per credential, per organization, and what a refusal says. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { plantClock } from '#shared/platform/clock.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { callTool, connectAgent, useAgentOrigin } from '#test/helpers/agent-client.ts';
import { type AgentWorld, createAgentWorld } from '#test/helpers/agent-world.ts';
import { keyOf } from '#test/helpers/callers.ts';

let server: EngineTable;
let world: AgentWorld;

beforeAll(async () => {
  server = await startEngineTable();
  useAgentOrigin();
  world = await createAgentWorld(3);
});
afterAll(async () => {
  plantClock(undefined);
  await server.stop();
});

describe('calls of a minute', () => {
  afterEach(() => plantClock(undefined));
  /** Sets the clock to the middle of a minute that no other test uses. */
  const startAt = (minute: number): void => plantClock(() => Date.parse('2030-01-01T00:00:30.000Z') + minute * 60_000);
  const outcomes = async (client: Client, calls: number): Promise<string[]> => {
    const codes: string[] = [];
    for (let n = 0; n < calls; n++) {
      const { isError, answer } = await callTool(client, 'whoami');
      codes.push(isError ? answer.error.code : 'ok');
    }
    return codes;
  };
  const newClient = async (): Promise<Client> => connectAgent((await keyOf(world.organizationId)).token, '2026-07-28');

  test('are 60 for a credential, and the next one says when to retry', async () => {
    startAt(0);
    const client = await newClient();
    expect(await outcomes(client, 60)).toEqual(Array.from({ length: 60 }, () => 'ok'));
    const { answer } = await callTool(client, 'whoami');
    expect(answer.error).toMatchObject({ code: 'rate_limited', message: expect.stringContaining('ends in 30 s') });
    expect((await callTool(await newClient(), 'whoami')).isError).toBe(false);
    startAt(1);
    expect((await callTool(client, 'whoami')).isError).toBe(false);
  });

  test('are 300 for an organization, however many credentials it has', async () => {
    startAt(2);
    for (let n = 0; n < 5; n++) expect(await outcomes(await newClient(), 60)).not.toContain('rate_limited');
    expect(await outcomes(await newClient(), 1)).toEqual(['rate_limited']);
    const other = await createAgentWorld(1);
    expect(
      (await callTool(await connectAgent((await keyOf(other.organizationId)).token, '2026-07-28'), 'whoami')).isError,
    ).toBe(false);
  });

  test('that are refused count for nothing, and the counters expire', async () => {
    startAt(3);
    const client = await newClient();
    await outcomes(client, 62);
    const minute = Date.parse('2030-01-01T00:03:00.000Z') / 60_000;
    const stored = await table.get(keys.agentCalls(world.organizationId, minute));
    expect(stored).toMatchObject({ calls: 60, expires_at_epoch: (minute + 5) * 60 });
  });
});

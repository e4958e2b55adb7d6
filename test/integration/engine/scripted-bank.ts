/** Bank one over a ledger of the test: what each month shows, and whether its statement is closed. */
import { randomUUID } from 'node:crypto';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { source as bankone } from '#shared/sources/bankone/source.ts';
import type { JsonObject, Parsed, SourceAdapter } from '#shared/sources/source.ts';
import { startRun } from '#shared/sync/start-run.ts';

export interface ShownMonth {
  rows: JsonObject[];
  /** Accounts with a closed statement that contains the rows. */
  closed?: string[];
}

export interface ScriptedBank extends SourceAdapter {
  /** Month → what the bank shows. */
  months: Record<string, ShownMonth>;
  beforePull: ((period: string) => Promise<void>) | null;
}

export const scriptedBank = (): ScriptedBank => {
  const bank: ScriptedBank = {
    ...bankone,
    months: {},
    beforePull: null,
    loginOf: (credentials) => String(credentials.login),
    connect: (_, io) => io.login(async () => ({ id: 'session' })),
    disconnect: async () => undefined,
    pull: async ({ period }, { ask }) => {
      await bank.beforePull?.(period!);
      await ask('month', async () => ({
        request: {},
        contentType: 'application/json',
        body: new TextEncoder().encode(JSON.stringify(bank.months[period!] ?? { rows: [] })),
      }));
    },
    parse: function* (_, [answer]): Generator<Parsed> {
      const { rows, closed = [] } = JSON.parse(new TextDecoder().decode(answer!.body)) as ShownMonth;
      for (const row of rows) yield { row: { row, raw: row, answerKey: 'month' } };
      for (const account of closed) yield { closed: account };
    },
  };
  return bank;
};

export const startMonths = (connection: Connection, scope: string, periods: readonly string[]) =>
  startRun(connection, {
    runId: randomUUID(),
    scopes: [scope],
    inputMetadata: { periods: [...periods] },
    trigger: 'manual',
  });

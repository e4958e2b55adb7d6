/** The cost of reading the coverage of a connection after its first sync, in units as the table reports them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contract } from '#functions/api/coverage/get-coverage/contract.ts';
import { handler } from '#functions/api/coverage/get-coverage/handler.ts';
import { contract as periodContract } from '#functions/api/coverage/get-period-coverage/contract.ts';
import { handler as periodHandler } from '#functions/api/coverage/get-period-coverage/handler.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { tableCallsOf } from '#test/bench/table-calls.ts';
import { bearer, keyOf } from '#test/helpers/callers.ts';
import { sampled } from '#test/helpers/effort.ts';
import { call } from '#test/helpers/http.ts';
import { loadSources } from '#test/helpers/source-folders.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import { endAll, QUIET_HOURS, STAGE_TIMEOUT_MS } from './stage.ts';

/** From the design: three scopes of twelve months, or four of a bank. */
const LIST_UNITS_MAX = 8;
/** Summary and period of a month are read consistently, in addition to credential, connection and coverage. */
const MONTH_UNITS_MAX = 10;

const folders = (await loadSources()).filter(({ code }) => code === 'tax' || code === 'bankone');
let world: SourceWorld;
beforeAll(async () => {
  world = await startSourceWorld(folders, { table: 'real', startsAt: QUIET_HOURS });
});
afterAll(() => world.stop());

test.each(sampled(folders, 2).map((folder) => [folder.code, folder] as const))(
  '%s',
  { timeout: STAGE_TIMEOUT_MS },
  async (_code, folder) => {
    const [entry] = folder.credentials;
    const { story, connection } = (await endAll(world, folder, [entry!], {})).get(entry!)!;
    await story.close();
    const caller = bearer((await keyOf(connection.organizationId)).token);
    const params = { id: connection.id };
    const ask = () => call(contract, handler, { ...caller, params });
    // The first use of a credential in a minute is stored.
    const { body } = await ask();
    expect(body.data).toHaveLength(folder.scopes.length);

    const soon = await tableCallsOf(async () => void (await ask()));
    world.advance(ROW_LIMITS.rowsSettledMs + 1);
    await ask();
    const later = await tableCallsOf(async () => void (await ask()));
    for (const calls of [soon, later]) {
      expect(calls.readUnits, JSON.stringify(calls.reads)).toBeLessThanOrEqual(LIST_UNITS_MAX);
      expect(calls.writeUnits).toBe(0);
    }
    expect(later.readUnits).toBeLessThan(soon.readUnits);

    const { scope, periods } = body.data.find(({ periods: some }: { periods: unknown[] }) => some.length > 1);
    const of = { ...params, scope, period: periods[1].period };
    const month = await tableCallsOf(async () => {
      expect((await call(periodContract, periodHandler, { ...caller, params: of })).status).toBe(200);
    });
    expect(month.readUnits, JSON.stringify(month.reads)).toBeLessThanOrEqual(MONTH_UNITS_MAX);
  },
);

/** Far more than a direct answer can hold: every row must come through the institution's asynchronous files. */
import { beforeAll, expect, test } from 'vitest';
import type { PeriodTally } from '#shared/sources/tax/sandbox/ledger.ts';
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import type { Row, Run } from '#test/helpers/e2e-integrator.ts';
import { asLedger } from '#test/helpers/e2e-register.ts';
import { useStack } from '#test/helpers/e2e-stack.ts';

const RUT = '70000004-4';
const DOCUMENTS = 20_000;

const stage = useStack();
let connectionId: string;
let period: string;
let ledger: PeriodTally;
let run: Run;
let rows: Row[];

beforeAll(async () => {
  const { api, doors } = stage;
  period = addMonths(santiagoPeriod(await doors.nowMs()), -1);
  // The time that the institution needs to make a file is not tested.
  await doors.knobs({ asyncDelayMs: 0 });
  connectionId = await api.connect({ rut: RUT, password: 'clave-de-prueba' });
  run = await api.finished(connectionId, await api.sync(connectionId, [period]));
  ledger = (await doors.ledger(RUT))[period]!;
  rows = await api.allDocuments(connectionId);
});

test('the run and the total of the list say 20,000, as the ledger does', async () => {
  expect(ledger.count).toBe(DOCUMENTS);
  expect(run).toMatchObject({ status: 'succeeded', records_found: DOCUMENTS, records_created: DOCUMENTS });
  const { pagination } = await stage.api.documents(connectionId);
  expect(pagination).toEqual({ total: DOCUMENTS, limit: 50, offset: 0, has_more: true });
});

test('every sum is the ledger’s, by direction and state, and no row comes twice', () => {
  expect(asLedger(rows, [period])[period]).toEqual(ledger);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(DOCUMENTS);
});

test('the last page is a page like any other, with and without a filter', async () => {
  const last = await stage.api.documents(connectionId, '?offset=19950');
  expect(last.data).toEqual(rows.slice(-50));
  expect(last.pagination).toEqual({ total: DOCUMENTS, limit: 50, offset: 19_950, has_more: false });
  const issued = rows.filter(({ direction }) => direction === 'issued');
  const offset = issued.length - 20;
  const page = await stage.api.documents(connectionId, `?direction=issued&offset=${offset}`);
  expect(page.data).toEqual(issued.slice(-20));
  expect(page.pagination).toMatchObject({ total: issued.length, has_more: false });
});

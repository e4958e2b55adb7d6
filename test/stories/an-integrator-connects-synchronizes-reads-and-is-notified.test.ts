/** The main use case, only over HTTP, with all real parts. */
import { Webhook } from 'standardwebhooks';
import { beforeAll, expect, test, vi } from 'vitest';
import type { PeriodTally } from '#shared/sources/tax/sandbox/ledger.ts';
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import { verifySignature } from '#shared/webhooks/signing.ts';
import { type Row, type Run, until } from '#test/helpers/e2e-integrator.ts';
import { asLedger, pick } from '#test/helpers/e2e-register.ts';
import { useStack } from '#test/helpers/e2e-stack.ts';

const RUT = '70000002-8';
const BACKFILL_MONTHS = 12;

const stage = useStack();
let endpoint: { id: string; secret: string };
let connectionId: string;
/** The first sync, the connection after it, and a second sync. */
let run: Run;
let connection: Record<string, unknown>;
let loginsAfterRun: unknown;
let again: Run;
let rowsAfterAgain: Row[];
/** Progress of the run while the institution delayed it: at the login, and at the first documents. */
let atLogin: Run;
let atDocuments: Run;
let periods: string[];
let ledger: Record<string, PeriodTally>;
let rows: Row[];

beforeAll(async () => {
  const { api, doors } = stage;
  endpoint = await api.subscribe();
  stage.secrets.add(endpoint.secret);
  connectionId = await api.connect(api.file.sandbox.tax?.credentials as Record<string, string>);
  const current = santiagoPeriod(await doors.nowMs());
  periods = Array.from({ length: BACKFILL_MONTHS }, (_, n) => addMonths(current, -n));

  await doors.hold('');
  const runId = await api.sync(connectionId);
  await doors.held();
  atLogin = await api.run(connectionId, runId);
  await doors.hold('getDetalle');
  await doors.held();
  // Progress is written in parallel to the work.
  atDocuments = await until('progress', async () => {
    const now = await api.run(connectionId, runId);
    return now.progress?.stage !== 'connecting' && now;
  });
  await doors.letGo();
  run = await api.finished(connectionId, runId);
  ledger = pick(await doors.ledger(RUT), periods) as Record<string, PeriodTally>;
  connection = await api.get(`/connections/${connectionId}`);
  loginsAfterRun = await doors.logins(RUT);
  rows = await api.allDocuments(connectionId);
  again = await api.finished(connectionId, await api.sync(connectionId, periods.slice(0, 3)));
  rowsAfterAgain = await api.allDocuments(connectionId);
});

test('a connection is made by a person: a key, an access token and nobody are refused', async () => {
  const { credentials } = stage.api.file.sandbox.tax!;
  const body = { external_source_code: 'tax', name: 'A', enabled_scopes: ['rcv'], credentials, metadata: {} };
  const answers = await Promise.all(
    (['key', 'token', 'nobody'] as const).map((as) => stage.api.call('POST', '/connections', { as, body })),
  );
  expect(answers.map(({ status, body: { error } }) => [status, error.code])).toEqual([
    [403, 'forbidden'],
    [403, 'forbidden'],
    [401, 'unauthorized'],
  ]);
});

test('the run shows how far it is, and ends succeeded with every document counted', async () => {
  expect(run).toMatchObject({ status: 'succeeded', error_code: null, trigger: 'manual', input_metadata: {} });
  expect(atLogin).toMatchObject({ status: 'running', progress: { stage: 'connecting', message: null } });
  expect(atDocuments).toMatchObject({ status: 'running', progress: { stage: 'downloading' } });
  expect(atDocuments.progress?.message).toMatch(/^rcv \d{4}-\d{2}: 0 of [\d,]+ documents$/);
  const count = Object.values(ledger).reduce((sum, period) => sum + period.count, 0);
  expect(run).toMatchObject({ records_found: count, records_created: count, records_updated: 0 });
  expect(run.scope_outcomes).toMatchObject([
    {
      scope: 'rcv',
      status: 'ok',
      records_found: count,
      period: periods[0],
      periods: periods.toReversed(),
      notices: [],
    },
  ]);
  const { finished_at: last_successful_sync_at } = run;
  expect(connection).toMatchObject({ status: 'active', last_sync_status: 'succeeded', last_successful_sync_at });
});

test('every count and every sum is the institution’s own, by period, direction and state', () => {
  expect(asLedger(rows, periods)).toEqual(ledger);
  expect(rows).toHaveLength(run.records_found ?? -1);
});

test('the session at the institution is left, after one login', () => {
  expect(loginsAfterRun).toEqual({ logins: 1, sessions: 0 });
});

test('pages never repeat or skip a row, newest first', async () => {
  const ids = (list: Row[]) => list.map(({ id }) => id);
  expect(new Set(ids(rows)).size).toBe(rows.length);
  expect(ids(await stage.api.allDocuments(connectionId, '', 173))).toEqual(ids(rows));
  const key = ({ period, issued_at, id }: Row) => `${period}|${issued_at ?? '0000-00-00'}|${id}`;
  expect(ids(rows.toSorted((a, b) => (key(a) < key(b) ? 1 : -1)))).toEqual(ids(rows));
  const beyond = await stage.api.documents(connectionId, `?offset=${rows.length}`);
  expect(beyond).toEqual({
    data: [],
    pagination: { total: rows.length, limit: 50, offset: rows.length, has_more: false },
  });
});

test.each([
  ['limit=201', 'limit must be between 1 and 200'],
  ['offset=-1', 'offset must be an integer of at least 0'],
])('a page of %s is refused by the bounds of the parameter', async (query, message) => {
  const { api } = stage;
  const answer = await api.must(400, 'GET', `/connections/${connectionId}/tax-rcv-documents?${query}`);
  expect(answer).toMatchObject({ error: { code: 'validation_error', message: expect.stringContaining(message) } });
});

test('every filter gives exactly its rows, and their exact total', async () => {
  const [first = '', second = ''] = periods;
  const filters: [string, (row: Row) => boolean][] = [
    [`period=${second}`, ({ period }) => period === second],
    ['direction=issued', ({ direction }) => direction === 'issued'],
    ['estado=pendiente', ({ estado }) => estado === 'pendiente'],
    ['direction=received&estado=registro', (row) => row.direction === 'received' && row.estado === 'registro'],
    [
      `from=${second}-10&to=${first}-05`,
      ({ issued_at: day }) => !!day && day >= `${second}-10` && day <= `${first}-05`,
    ],
    [
      `period=${second}&direction=issued&from=${second}-03&to=${second}-20`,
      (row) =>
        row.period === second &&
        row.direction === 'issued' &&
        !!row.issued_at &&
        row.issued_at >= `${second}-03` &&
        row.issued_at <= `${second}-20`,
    ],
  ];
  for (const [query, fits] of filters) {
    const wanted = rows.filter(fits);
    expect(await stage.api.allDocuments(connectionId, `&${query}`), query).toEqual(wanted);
    expect(wanted.length, query).toBeGreaterThan(0);
    const { pagination } = await stage.api.documents(connectionId, `?limit=1&${query}`);
    expect(pagination, query).toMatchObject({ total: wanted.length, has_more: wanted.length > 1 });
  }
});

test('one document comes in full, the periods newest first', async () => {
  const row = rows[7]!;
  const full = await stage.api.get(`/connections/${connectionId}/tax-rcv-documents/${row.id}`);
  expect(full).toMatchObject({ ...row, connection_id: connectionId, sync_run_id: run.id });
  expect(full.raw_payload_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(Object.keys(full.raw_row).length).toBeGreaterThan(5);
  const missing = await stage.api.call('GET', `/connections/${connectionId}/tax-rcv-documents/${run.id}`);
  expect([missing.status, missing.body.error.code]).toEqual([404, 'rcv_document_not_found']);
  expect(await stage.api.get(`/connections/${connectionId}/tax-rcv-documents/periods`)).toEqual(
    periods.filter((period) => (ledger[period]?.count ?? 0) > 0),
  );
});

test('a sync that finds nothing new creates and updates nothing', async () => {
  const found = periods.slice(0, 3).reduce((sum, period) => sum + (ledger[period]?.count ?? 0), 0);
  expect(again).toMatchObject({ status: 'succeeded', records_found: found, records_created: 0, records_updated: 0 });
  expect(rowsAfterAgain).toEqual(rows);
  expect(JSON.parse((await stage.doors.webhookOf(again.id)).body)).toMatchObject({ type: 'sync.succeeded' });
});

test('the webhook verifies with the standard package and with ours, and says what it must', async () => {
  const item = await stage.doors.webhookOf(run.id);
  const { headers, body } = item;
  // The package reads the machine's clock, but the stack's clock may be ahead.
  vi.useFakeTimers({ now: Date.parse(item.received_at), toFake: ['Date'] });
  try {
    const payload = new Webhook(endpoint.secret).verify(body, headers);
    expect(payload).toEqual(JSON.parse(body));
    expect(() => new Webhook(endpoint.secret).verify(`${body} `, headers)).toThrow();
  } finally {
    vi.useRealTimers();
  }
  const seconds = Math.floor(Date.parse(item.received_at) / 1000);
  expect(verifySignature(endpoint.secret, { headers, body: Buffer.from(body) }, seconds)).toBe(true);
  expect(item).toMatchObject({ verified: true, answered: 204 });
  expect(headers).toMatchObject({ 'content-type': 'application/json' });
  const [outcome] = run.scope_outcomes;
  // Exactly these fields, in any order.
  expect(JSON.parse(body)).toStrictEqual({
    type: 'sync.succeeded',
    timestamp: run.finished_at,
    data: {
      syncRunId: run.id,
      organizationId: stage.api.file.organization_id,
      connectionId,
      status: 'succeeded',
      scopes: ['rcv'],
      scopeOutcomes: [
        {
          scope: 'rcv',
          status: 'ok',
          recordsFound: run.records_found,
          durationMs: outcome?.duration_ms,
          period: periods[0],
        },
      ],
    },
  });
  const delivery = await until('the delivery', async () => {
    const deliveries = await stage.api.get(`/webhooks/${endpoint.id}/deliveries`);
    return deliveries.find((each: { id: string; status: string }) => each.id === headers['webhook-id']);
  });
  expect(delivery).toMatchObject({
    event_type: 'sync.succeeded',
    status: 'delivered',
    attempts: 1,
    response_status: 204,
  });
});

/** Refusals of the institution, one run for each. They start together, so that their waiting times overlap. */
import { gunzipSync } from 'node:zlib';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS, type TaxCredential } from '#shared/sources/tax/sandbox/credentials.ts';
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import { type Row, type Run, until } from '#test/helpers/e2e-integrator.ts';
import { asLedger } from '#test/helpers/e2e-register.ts';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';

/**
 * How a run with these credentials ends, and its number of login requests: an owner's fault is never tried again.
 * test/integration/sources runs the whole table.
 */
const ENDS: Record<string, { status: string; code: string | null; connection: string; logins?: number }> = {
  'wrong password': { status: 'failed', code: 'source.invalid_credentials', connection: 'error', logins: 1 },
  maintenance: { status: 'failed', code: 'source.maintenance', connection: 'pending' },
  'session expires once': { status: 'succeeded', code: null, connection: 'active', logins: 2 },
  'body ends early': { status: 'failed', code: 'source.unexpected_response', connection: 'pending' },
  'malformed row': { status: 'partial', code: 'source.unexpected_response', connection: 'active' },
  'the register of another company': { status: 'failed', code: 'source.wrong_company', connection: 'error', logins: 1 },
  'no rights over the company': { status: 'failed', code: 'source.wrong_company', connection: 'error', logins: 1 },
  'reCAPTCHA required': { status: 'failed', code: 'source.blocked', connection: 'pending', logins: 1 },
  'file shorter than the totals': { status: 'partial', code: 'source.unexpected_response', connection: 'active' },
};

interface Told {
  entry: TaxCredential;
  connectionId: string;
  run: Run;
  connection: { status: string };
  /** Logins of this run, and sessions that are open after it. */
  logins: { logins: number; sessions: number };
  rows: Row[];
}

const stage = useSharedStack();
const told = new Map<string, Told>();
/** The month of all runs; and the month before it, which the partial runs can read. */
let month: string;
let before: string;

/** Other stories may have logged in before. */
const loginsSince = async (rut: string, earlier: number): Promise<Told['logins']> => {
  const { logins, sessions } = await stage.doors.logins(rut);
  return { logins: logins - earlier, sessions };
};

const entryOf = (label: string): TaxCredential => SANDBOX_CREDENTIALS.find((entry) => entry.label.startsWith(label))!;

beforeAll(async () => {
  const { api, doors } = stage;
  await api.subscribe();
  month = addMonths(santiagoPeriod(await doors.nowMs()), -1);
  before = addMonths(month, -1);
  await doors.knobs({ asyncDelayMs: 0 });
  // Few documents, so that none comes by file and no row is malformed.
  const few = { 'file shorter than the totals': 10, 'malformed row': 0 };
  for (const [label, documents] of Object.entries(few))
    await doors.knobs({ rut: entryOf(label).credentials.rut, period: before, documents });
  const periods = (label: string): string[] => (label in few ? [before, month] : [month]);

  const begun: (Pick<Told, 'entry' | 'connectionId'> & { label: string; runId: string; loginsBefore: number })[] = [];
  for (const label of Object.keys(ENDS)) {
    const entry = entryOf(label);
    const connectionId = await api.connect(entry.credentials as Record<string, string>, label);
    const { logins: loginsBefore } = await doors.logins(entry.credentials.rut);
    begun.push({ label, entry, connectionId, loginsBefore, runId: await api.sync(connectionId, periods(label)) });
  }
  for (const { label, entry, connectionId, loginsBefore, runId } of begun) {
    const run = await api.finished(connectionId, runId, doors.jump);
    const connection = await api.get(`/connections/${connectionId}`);
    const logins = await loginsSince(entry.credentials.rut, loginsBefore);
    const rows = await api.allDocuments(connectionId);
    told.set(label, { entry, connectionId, run, connection, logins, rows });
  }
});

describe('every refusal ends as specified', () => {
  test.each(Object.entries(ENDS))('%s', async (label, { status, code, connection, logins }) => {
    const is = told.get(label)!;
    expect(is.run).toMatchObject({ status, error_code: code });
    expect(is.run.scope_outcomes).toMatchObject([{ scope: 'rcv', error_code: code }]);
    expect(is.connection).toMatchObject({ status: connection, last_sync_status: status });
    if (logins !== undefined) expect(is.logins.logins).toBe(logins);
    // Logged out in any case: a forgotten session would occupy its slot.
    expect(is.logins.sessions).toBe(0);
    const { body } = await stage.doors.webhookOf(is.run.id);
    const { type, data } = JSON.parse(body);
    expect(type).toBe(`sync.${status}`);
    expect(data).toMatchObject({ status, syncRunId: is.run.id });
    expect(data.errorCode).toBe(code ?? undefined);
    if (status === 'failed') expect(is.rows).toEqual([]);
  });
});

describe('what could not be read', () => {
  /** The institution's ledger does not count unreadable lines. */
  const isStored = async (label: string, months: string[]): Promise<Told['run']> => {
    const { rows, run, entry } = told.get(label)!;
    const ledger = await stage.doors.ledger(entry.credentials.rut);
    const stored = asLedger(rows, months);
    for (const each of months) expect(stored[each]).toEqual(ledger[each]);
    expect(rows).toHaveLength(months.reduce((sum, each) => sum + (ledger[each]?.count ?? Number.NaN), 0));
    expect(run.scope_outcomes).toMatchObject([{ status: 'partial', periods: months }]);
    expect(run).toMatchObject({ records_found: rows.length, records_created: rows.length });
    return run;
  };

  test('file shorter than the totals: only the other month is stored', async () => {
    await isStored('file shorter than the totals', [before]);
  });

  test('malformed row: the rest of its month is stored, and the line is reported', async () => {
    const run = await isStored('malformed row', [before, month]);
    const line = expect.objectContaining({ code: 'tax.rcv.lines_unreadable' });
    expect(run.scope_outcomes[0]?.notices).toContainEqual(line);
  });

  /** Bodies of the stored raw answers of a connection. */
  const keptOf = async (connectionId: string): Promise<string[]> => {
    const { stack, api } = stage;
    const { region, credentials } = stack;
    const client = new S3Client({ endpoint: stack.endpoints.s3, region, credentials, forcePathStyle: true });
    const Bucket = stack.environment.RAW_BUCKET_NAME;
    const { Contents = [] } = await client.send(
      new ListObjectsV2Command({ Bucket, Prefix: `${api.file.organization_id}/${connectionId}/` }),
    );
    const bodies = await Promise.all(
      Contents.map(async ({ Key }) => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
        return gunzipSync(await Body!.transformToByteArray()).toString('utf8');
      }),
    );
    client.destroy();
    return bodies;
  };

  test('a malformed row: the raw answer is stored', async () => {
    const bodies = await keptOf(told.get('malformed row')!.connectionId);
    expect(bodies.some((body) => body.includes('31/02/2026'))).toBe(true);
  });

  test('a truncated answer: the raw answer is stored', async () => {
    const bodies = await keptOf(told.get('body ends early')!.connectionId);
    expect(bodies.some((body) => body.includes('"detRutDoc"') && !body.trimEnd().endsWith('}'))).toBe(true);
  });
});

test('only the owner can fix a wrong password', async () => {
  const { api, doors } = stage;
  const { rut, password } = entryOf('works: unknown extra fields').credentials;
  const wrong = 'no-es-la-clave';
  stage.secrets.add(wrong);
  const { logins: loginsBefore } = await doors.logins(rut);
  const connectionId = await api.connect({ rut, password: wrong });
  const path = `/connections/${connectionId}`;
  const refused = await api.finished(connectionId, await api.sync(connectionId, [month]), doors.jump);
  expect(refused).toMatchObject({ status: 'failed', error_code: 'source.invalid_credentials' });
  expect(await loginsSince(rut, loginsBefore)).toEqual({ logins: 1, sessions: 0 });
  expect(await api.get(path)).toMatchObject({ status: 'error', last_successful_sync_at: null });

  const body = { credentials: { rut, password } };
  await api.must(403, 'PATCH', path, { body });
  expect((await api.must(200, 'PATCH', path, { as: 'session', body })).data).toMatchObject({ status: 'pending' });
  const mended = await api.finished(connectionId, await api.sync(connectionId, [month]), doors.jump);
  expect(mended).toMatchObject({ status: 'succeeded' });
  expect(await until('active', async () => (await api.get(path)).status)).toBe('active');
});

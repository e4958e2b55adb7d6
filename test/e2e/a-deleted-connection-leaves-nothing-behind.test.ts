/** Delete: refused while a sync runs, invisible at once, and purged in the background; the neighbour stays. */
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { beforeAll, expect, test } from 'vitest';
import { MESSAGING_LIMITS } from '#shared/messaging/limits.ts';
import { RECOVERY_LIMITS } from '#shared/recovery/limits.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import type { Row } from '#test/helpers/e2e-integrator.ts';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';

const CREDENTIALS = { rut: '70000002-8', password: 'clave-de-prueba' };
/** Tombstones, the first deletion, and the second check a quarter of an hour later. */
const PURGE_MS = TABLE_LIMITS.lateWriteMs + RECOVERY_LIMITS.purgeStepMs + 2 * MESSAGING_LIMITS.messageGraceMs;

const stage = useSharedStack();

/** The note that lists need until a snapshot lacks the connection; it expires after two hours. */
const isNote = (key: string): boolean => key.includes('#LISTED | CHANGED#');

/** Keys of the table that contain the id, of any other item. */
const keysOf = async (id: string): Promise<string[]> => {
  const { stack } = stage;
  const { region, credentials } = stack;
  const client = new DynamoDBClient({ endpoint: stack.endpoints.dynamodb, region, credentials });
  const found: string[] = [];
  const input = { TableName: stack.environment.TABLE_NAME, ProjectionExpression: 'pk, sk' };
  for await (const { Items = [] } of paginateScan({ client }, input))
    found.push(...Items.map(({ pk, sk }) => `${pk?.S} | ${sk?.S}`).filter((key) => key.includes(id) && !isNote(key)));
  client.destroy();
  return found;
};

const rawAnswersOf = async (id: string): Promise<number> => {
  const { stack, api } = stage;
  const { region, credentials } = stack;
  const client = new S3Client({ endpoint: stack.endpoints.s3, region, credentials, forcePathStyle: true });
  const Prefix = `${api.file.organization_id}/${id}/`;
  const { KeyCount } = await client.send(
    new ListObjectsV2Command({ Bucket: stack.environment.RAW_BUCKET_NAME, Prefix }),
  );
  client.destroy();
  return KeyCount ?? 0;
};

let doomed: string;
let neighbour: string;
let runId: string;
let rows: Row[];
/** Answers of the delete while a sync ran, and after it. */
let answers: { status: number; body: unknown }[];
let before: { keys: number; raw: number };

beforeAll(async () => {
  const { api, doors } = stage;
  const month = addMonths(santiagoPeriod(await doors.nowMs()), -1);
  neighbour = await api.connect(CREDENTIALS, 'Vecina');
  doomed = await api.connect(CREDENTIALS, 'Condenada');
  await api.finished(neighbour, await api.sync(neighbour, [month]));

  await doors.hold('');
  runId = await api.sync(doomed, [month]);
  await doors.held();
  const remove = () => api.call('DELETE', `/connections/${doomed}`, { as: 'session' });
  const refused = await remove();
  await doors.letGo();
  await api.finished(doomed, runId);
  rows = await api.allDocuments(doomed);
  before = { keys: (await keysOf(doomed)).length, raw: await rawAnswersOf(doomed) };
  answers = [refused, await api.call('DELETE', `/connections/${doomed}`), await remove(), await remove()];
});

test('it is refused while a sync runs, and to a key; then it is done, once', () => {
  const [refused, byKey, done, again] = answers;
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'connection_sync_in_progress' } } });
  expect(byKey).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  expect(done).toMatchObject({ status: 200, body: { data: { id: doomed, deleted: true } } });
  expect(again).toMatchObject({ status: 404, body: { error: { code: 'connection_not_found' } } });
});

test('it is invisible at once', async () => {
  const { api } = stage;
  const path = `/connections/${doomed}`;
  const gone = [
    ['GET', ''],
    ['POST', '/sync'],
    ['GET', '/sync-runs'],
    ['GET', `/sync-runs/${runId}`],
    ['GET', '/tax-rcv-documents'],
    ['GET', '/tax-rcv-documents/periods'],
    ['GET', `/tax-rcv-documents/${rows[0]?.id}`],
  ] as const;
  for (const [method, rest] of gone) {
    const { status, body } = await api.call(method, `${path}${rest}`);
    expect([rest, status, body.error.code]).toEqual([rest, 404, 'connection_not_found']);
  }
  const listed = await api.get('/connections');
  expect(listed.map(({ id }: { id: string }) => id)).toEqual([neighbour]);
});

test('in time nothing of it is left in the table or the bucket, and its neighbour has everything', async () => {
  const { api, doors } = stage;
  expect(before.keys).toBeGreaterThan(2 * rows.length);
  expect(before.raw).toBeGreaterThan(0);
  await doors.walk(PURGE_MS);
  expect(await keysOf(doomed)).toEqual([]);
  expect(await rawAnswersOf(doomed)).toBe(0);
  // The same company, connected twice: ids differ, documents do not.
  const without = ({ id: _, created_at: __, ...rest }: Row) => JSON.stringify(rest);
  const kept = await api.allDocuments(neighbour);
  expect(kept.map(without).sort()).toEqual(rows.map(without).sort());
  expect(await rawAnswersOf(neighbour)).toBeGreaterThan(0);
});

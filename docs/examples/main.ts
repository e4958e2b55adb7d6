/**
 * The whole way of an integrator: connect, synchronize, wait, read every page, and be told by a verified webhook.
 * Settings by environment: `API`, `KEY`, `SESSION`, `RUT`, `PASSWORD`; `PERIODS` (2026-10,2026-09) is optional.
 */
import { type Api, createApi, must, rowsOf, waitForRun } from './client.ts';
import { startReceiver } from './receiver.ts';

const setting = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
};

/** Id of a new connection to the tax authority. */
const connect = async (person: Api): Promise<string> => {
  const body = {
    external_source_code: 'tax',
    name: 'Typed client',
    enabled_scopes: ['rcv'],
    credentials: { rut: setting('RUT'), password: setting('PASSWORD') },
    metadata: {},
  };
  return (await must(person.POST('/connections', { body }))).id;
};

/** Number of documents by month and direction. */
const countDocuments = async (api: Api, id: string): Promise<Map<string, number>> => {
  const counts = new Map<string, number>();
  const documents = rowsOf((query) =>
    must(api.GET('/connections/{id}/tax-rcv-documents', { params: { path: { id }, query } })),
  );
  for await (const { period, direction } of documents) {
    const book = `${period} ${direction}`;
    counts.set(book, (counts.get(book) ?? 0) + 1);
  }
  return counts;
};

const api = createApi(setting('API'), { apiKey: setting('KEY') });
const person = createApi(setting('API'), { session: setting('SESSION') });
const receiver = await startReceiver();
const { data: endpoint } = await must(
  api.POST('/webhooks', {
    body: { url: receiver.url, event_types: ['sync.succeeded', 'sync.partial', 'sync.failed'] },
  }),
);
try {
  receiver.trust(endpoint.secret);

  const id = await connect(person);
  console.log(`connection ${id}`);

  const periods = process.env.PERIODS?.split(',');
  const { sync_id: runId } = await must(
    api.POST('/connections/{id}/sync', {
      // Sent again after a lost answer, the same key starts no second run.
      params: { path: { id }, header: { 'Idempotency-Key': `first-sync-${id}` } },
      body: periods ? { metadata: { periods } } : {},
    }),
  );
  const run = await waitForRun(api, { id, runId }, (text) => console.log(`progress ${text}`));
  console.log(`run ${run.id} ${run.status} ${run.records_found}`);

  for (const [book, count] of await countDocuments(api, id)) console.log(`documents ${book} ${count}`);

  const event = await receiver.eventOf(runId);
  console.log(`verified ${event.type} ${event.data.syncRunId}`);
  process.exitCode = run.status === 'succeeded' ? 0 : 1;
} finally {
  await must(api.DELETE('/webhooks/{id}', { params: { path: { id: endpoint.id } } }));
  await receiver.close();
}

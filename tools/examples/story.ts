/**
 * The requests that are recorded as examples. They follow one organization at the simulated institutions, from its
 * first key to a webhook that failed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SANDBOX_CREDENTIALS } from '#shared/sources/tax/sandbox/credentials.ts';
import { EVENT_TYPES } from '#shared/values/event-types.ts';
import type { StackFile } from '#tools/local/stack-file.ts';
import { recordApplication } from './application-story.ts';
import type { ExampleBody, Recorder } from './recorder.ts';

/** Last whole month before the time of the recording. */
const MONTH = '2026-10';
/**
 * Query for a single row, which is enough to show what a row looks like; `total` still contains the number of all rows.
 */
const ONE = { limit: '1' };
const ATTEMPTS = 4;
const POLL_MS = 100;
const WAIT_MS_MAX = 120_000;
/** Labels with this beginning select logins in the sandbox's table of logins. */
const PARTIAL = 'malformed row';
const REFUSED = 'wrong password';

interface StoryStage extends Recorder {
  stack: StackFile;
}

const post = async (url: string, body: unknown): Promise<void> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
};

/** Moves the clock to the next due time, because a recording takes only a minute and cannot wait for retries. */
const jump = ({ stack }: StoryStage): Promise<void> =>
  post(`${new URL(stack.api).origin}/_local/clock`, { jump: true });

const until = async <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
  const deadline = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`no result in time: ${what}`);
    await sleep(POLL_MS);
  }
};

const connect = async ({ ask, stack }: StoryStage, source: string, scopes: string[], credentials?: object) => {
  const { credentials: works, metadata } = stack.sandbox[source]!;
  const body = {
    external_source_code: source,
    name: 'Mi empresa',
    enabled_scopes: scopes,
    credentials: credentials ?? works,
    metadata,
  };
  return (await ask('createConnection', { body })).id as string;
};

const scopesOf = async ({ ask }: Recorder, source: string): Promise<string[]> => {
  const { data } = await ask('listExternalSources');
  return data.find(({ code }: ExampleBody) => code === source).supported_scopes;
};

const ended = ({ ask }: Recorder, params: Record<string, string>): Promise<ExampleBody> =>
  until('the end of the run', async () => {
    const { data } = await ask('getSyncRun', { params });
    return data.finished_at === null ? undefined : data;
  });

const synchronize = async (stage: StoryStage, id: string, metadata: object): Promise<Record<string, string>> => {
  const { sync_id: runId } = await stage.ask('startSync', { params: { id }, body: { metadata } });
  await ended(stage, { id, runId });
  return { id, runId };
};

/** Records a list, the response for its first row, the list of its months, and its totals. */
const recordRows = async (
  { record }: StoryStage,
  id: string,
  [list, months, one]: readonly string[],
  query: Record<string, string> = ONE,
): Promise<ExampleBody> => {
  const { data } = await record(list!, { params: { id }, query });
  if (data.length === 0) throw new Error(`${list} is empty: it would show nothing`);
  if (months) {
    await record(months, { params: { id } });
    const { limit: _, ...filters } = query;
    const totals = months.replace(/^list(.+)Periods$/, 'get$1Totals');
    await record(totals, { params: { id }, query: { period: MONTH, ...filters } });
  }
  if (one) await record(one, { params: { id, documentId: data[0].id, guideId: data[0].id, nominaId: data[0].id } });
};

const recordKeys = async ({ record }: Recorder): Promise<void> => {
  const { data } = await record('createApiKey');
  await record('listApiKeys');
  await record('revokeApiKey', { params: { id: data.id } });
};

const recordLinks = async ({ record, ask }: Recorder): Promise<void> => {
  await ask('createConnectLink');
  const { data } = await record('createConnectLink');
  await record('getConnectLink', { params: { id: data.id } });
  await record('listConnectLinks', { query: { limit: '1' } });
  await record('cancelConnectLink', { params: { id: data.id } });
};

const recordEndpoint = async ({ record }: Recorder): Promise<void> => {
  const { data } = await record('createWebhook');
  const params = { id: data.id };
  await record('updateWebhook', { params });
  await record('rollWebhookSecret', { params });
  await record('deleteWebhook', { params });
};

/** Records a connection from its creation to its deletion. */
const recordConnection = async (recorder: Recorder): Promise<void> => {
  const { record } = recorder;
  const { id } = await record('createConnection');
  const params = { id };
  await record('updateConnection', { params });
  await record('setSchedule', { params });
  const { sync_id: runId } = await record('startSync', { params });
  await ended(recorder, { id, runId });
  await record('deleteConnection', { params });
  await record('listAuditEvents', { query: { limit: '2' } });
};

/** Records the cancellation of a run. The run cannot end by itself, because the institution delays its answers. */
const recordCancel = async (stage: StoryStage): Promise<void> => {
  const { record, ask, stack } = stage;
  const gate = `${stack.sandbox.tax!.base_url}/_sandbox/gate`;
  const id = await connect(stage, 'tax', ['rcv']);
  await post(gate, { hold: '/' });
  const { sync_id: runId } = await ask('startSync', { params: { id } });
  await record('cancelSyncRun', { params: { id, runId } });
  await post(gate, { hold: null });
  await ended(stage, { id, runId });
  await ask('deleteConnection', { params: { id } });
};

/** Records one delivery that arrived, and one delivery that the inbox refused four times. */
const recordRuns = async (stage: StoryStage): Promise<void> => {
  const { record, ask, stack } = stage;
  const { data: endpoint } = await ask('createWebhook', { body: { url: stack.inbox, event_types: EVENT_TYPES } });
  const id = await connect(stage, 'tax', ['rcv']);
  const params = await synchronize(stage, id, { periods: [MONTH] });
  await record('getSyncRun', { params });
  await record('listSyncRuns', { params: { id } });
  await ask('setSchedule', { params: { id } });
  await record('getConnection', { params: { id } });
  await record('listConnections');

  const deliveries = () => ask('listWebhookDeliveries', { params: { id: endpoint.id } });
  const delivered = (count: number) =>
    until('the deliveries', async () => {
      const { data } = await deliveries();
      if (data.filter(({ status }: ExampleBody) => status === 'delivered' || status === 'failed').length === count)
        return data;
      await jump(stage);
      return undefined;
    });
  await delivered(1);
  await record('getWebhook', { params: { id: endpoint.id } });
  await record('listWebhooks');
  await post(`${stack.inbox}/behaviour`, { fail_next: ATTEMPTS, status: 503 });
  await synchronize(stage, id, { periods: [MONTH] });
  const [latest] = await delivered(2);
  await record('listWebhookDeliveries', { params: { id: endpoint.id } });
  await record('getWebhookDelivery', { params: { id: endpoint.id, deliveryId: latest.id } });
  await record('testWebhook', { params: { id: endpoint.id } });
  await record('resendWebhookDelivery', { params: { id: endpoint.id, deliveryId: latest.id } });
};

/**
 * Returns a query for the first day of the month that has exactly one document without other taxes. With several
 * documents the recording would differ, because the order of rows within a day is not defined.
 */
const quietDay = async ({ ask }: StoryStage, id: string): Promise<Record<string, string>> => {
  const { data } = await ask('listTaxRcvDocuments', { params: { id }, query: { limit: '200' } });
  const days = Map.groupBy(data as ExampleBody[], ({ issued_at }) => issued_at as string);
  const isPlain = (row: ExampleBody): boolean =>
    Number(row.net_amount) + Number(row.exempt_amount) + Number(row.vat_amount) === Number(row.total_amount);
  const day = [...days.keys()].sort().find((each) => days.get(each)!.length === 1 && isPlain(days.get(each)![0]));
  if (day === undefined) throw new Error('no day of the register has one plain document');
  return { from: day, to: day };
};

const recordTax = async (stage: StoryStage): Promise<void> => {
  const { record } = stage;
  const id = await connect(stage, 'tax', await scopesOf(stage, 'tax'));
  await synchronize(stage, id, { periods: [MONTH] });
  await record('listCoverage', { query: { limit: '1', period_from: MONTH, period_to: MONTH } });
  await record('getCoverage', { params: { id }, query: { scope: 'boletas' } });
  await record('getPeriodCoverage', { params: { id, scope: 'boletas', period: MONTH } });
  const rcv = ['listTaxRcvDocuments', 'listTaxRcvDocumentPeriods', 'getTaxRcvDocument'];
  await recordRows(stage, id, rcv, await quietDay(stage, id));
  await recordRows(stage, id, ['listTaxBoletas', 'listTaxBoletaPeriods']);
  await recordRows(stage, id, ['listTaxDispatchGuides', 'listTaxDispatchGuidePeriods', 'getTaxDispatchGuide']);
};

/** Records, for each event type, a run that ends with this type, and the event that the inbox received. */
const recordEvents = async (stage: StoryStage): Promise<void> => {
  const loginOf = (label: string) => SANDBOX_CREDENTIALS.find((entry) => entry.label.startsWith(label))!.credentials;
  const logins = { 'sync.succeeded': undefined, 'sync.partial': loginOf(PARTIAL), 'sync.failed': loginOf(REFUSED) };
  for (const [type, credentials] of Object.entries(logins)) {
    const id = await connect(stage, 'tax', ['rcv'], credentials);
    const { runId } = await synchronize(stage, id, { periods: [MONTH] });
    const item = await until(`the event ${type}`, async () => {
      const { data } = (await (await fetch(stage.stack.inbox)).json()) as { data: { body: string }[] };
      return data.find(({ body }) => body.includes(runId!));
    });
    const body = JSON.parse(item.body);
    if (body.type !== type) throw new Error(`the run that was to end as ${type} ended as ${body.type}`);
    stage.bodies[type] = body;
  }
};

const BANKS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  bankone: [
    ['listBankoneBalances'],
    ['listBankoneMovements', 'listBankoneMovementPeriods'],
    ['listBankoneTransfers', 'listBankoneTransferPeriods'],
    ['listBankoneNominas', 'listBankoneNominaPeriods', 'listBankoneNominaPagos'],
  ],
  banktwo: [['listBanktwoBalances'], ['listBanktwoMovements', 'listBanktwoMovementPeriods']],
  bankthree: [['listBankthreeBalances'], ['listBankthreeMovements', 'listBankthreeMovementPeriods']],
};

const recordBank = async (stage: StoryStage, source: string): Promise<void> => {
  const id = await connect(stage, source, await scopesOf(stage, source));
  await synchronize(stage, id, { periods: [MONTH] });
  for (const lists of BANKS[source]!) await recordRows(stage, id, lists);
  // Changes are recorded only for this scope, because each of its rows has an instant. The order of other scopes' rows
  // within a day is not defined.
  if (source === 'bankone')
    await stage.record('listChanges', { params: { id }, query: { ...ONE, scope: 'transfers' } });
};

const recordTenders = async (stage: StoryStage): Promise<void> => {
  const { record, stack } = stage;
  const id = await connect(stage, 'procurement', await scopesOf(stage, 'procurement'));
  const codigos = stack.sandbox.procurement!.metadata.codigos as string[];
  await synchronize(stage, id, { codigos });
  const params = { codigo: codigos[0]! };
  await record('getLicitacion', { params });
  await record('listLicitaciones', { query: ONE });
  await record('listTenderChanges', { query: ONE });
  for (const list of ['listLicitacionPreguntas', 'listLicitacionOfertas']) await record(list, { params, query: ONE });
  const { data } = await record('listLicitacionDocumentos', { params, query: ONE });
  await record('getDocumentoLink', { params: { documentoId: data[0].id } });
  await record('listConnectionLicitaciones', { params: { id }, query: ONE });
  await record('getConnectionLicitacion', { params: { id, ...params } });
  for (const list of ['listConnectionPreguntas', 'listConnectionOfertas', 'listConnectionDocumentos'])
    await record(list, { params: { id, ...params }, query: ONE });
  await record('getConnectionDocumentoLink', { params: { id, documentoId: data[0].id } });
};

/** Only one scope is synchronized after the cursor, because entries of several scopes have no defined order. */
const recordOrganizationChanges = async (stage: StoryStage): Promise<void> => {
  const { feed } = await stage.ask('listOrganizationChanges', { query: { limit: '200' } });
  const id = await connect(stage, 'tax', ['rcv']);
  await synchronize(stage, id, { periods: [MONTH] });
  await stage.record('listOrganizationChanges', { query: { cursor: feed.next_cursor } });
};

export const playStory = async (recorder: Recorder, stack: StackFile): Promise<void> => {
  const stage: StoryStage = { ...recorder, stack };
  await stage.record('listExternalSources', { query: { type: 'tax_authority' } });
  await recordKeys(stage);
  await recordLinks(stage);
  await recordApplication(stage);
  await recordEndpoint(stage);
  await recordConnection(stage);
  await recordCancel(stage);
  await recordRuns(stage);
  await recordEvents(stage);
  await recordTax(stage);
  for (const source of Object.keys(BANKS)) await recordBank(stage, source);
  await recordTenders(stage);
  await recordOrganizationChanges(stage);
};

/**
 * Every key string of the table is built here and nowhere else (a test sees to it). Every key begins with the organization:
 * there is no way to reach a row without knowing whose it is. But for what a stranger brings, by whose hash the
 * organization is found (`TOKEN#`, `CODE#`, `REFRESH#`), and what clients publish of themselves (`CLIENT#`). Access
 * patterns: docs/data-model.md.
 */

import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';

export interface Key {
  pk: string;
  sk: string;
}

/** The scope of a connection whose rows are meant. */
export interface ScopeAddress {
  organizationId: OrganizationId;
  connectionId: ConnectionId;
  scope: string;
}

/** Which connection read which tender. */
export interface TenderAddress {
  organizationId: OrganizationId;
  connectionId: ConnectionId;
  /** Upper case. */
  codigo: string;
}

/** Where tasks that wait for the same thing are found. */
export interface WaiterList {
  pk: string;
  prefix: string;
}

const org = (organizationId: OrganizationId, rest: string): string => `ORG#${organizationId}#${rest}`;
const config = (organizationId: OrganizationId): string => org(organizationId, 'CONFIG');
const ofConnection = (organizationId: OrganizationId, connectionId: ConnectionId): string =>
  org(organizationId, `CONN#${connectionId}`);
const ofHook = (organizationId: OrganizationId, endpointId: string): string =>
  org(organizationId, `HOOK#${endpointId}`);

const ofScope = (area: string, { organizationId, connectionId, scope }: ScopeAddress, rest = ''): string =>
  org(organizationId, `${area}#${connectionId}#${scope}${rest}`);

const TOMBSTONE = 'GONE#';
/** As many digits as the largest sequence has, so that keys sort as sequences do. */
const sequenceKey = (sequence: number): string => String(sequence).padStart(16, '0');

const TENDER_ROWS = { licitaciones: 'FICHA', documentos: 'DOC', preguntas: 'PREGUNTA', ofertas: 'OFERTA' } as const;
export type TenderScope = keyof typeof TENDER_ROWS;
export const TENDER_SCOPES = Object.keys(TENDER_ROWS) as TenderScope[];

/** Of another table: what a simulated institution remembers of a credential. No organization has anything there. */
export const sandboxMemoryKey = (institution: string, owner: string): Key => ({
  pk: `SANDBOX#${institution}`,
  sk: `MEMORY#${owner}`,
});

export const keys = {
  connection: (o: OrganizationId, id: ConnectionId): Key => ({ pk: config(o), sk: `CONN#${id}` }),
  connections: (o: OrganizationId) => ({ pk: config(o), prefix: 'CONN#' }),
  apiKey: (o: OrganizationId, id: string): Key => ({ pk: config(o), sk: `KEY#${id}` }),
  apiKeys: (o: OrganizationId) => ({ pk: config(o), prefix: 'KEY#' }),
  webhookEndpoint: (o: OrganizationId, id: string): Key => ({ pk: config(o), sk: `HOOK#${id}` }),
  webhookEndpoints: (o: OrganizationId) => ({ pk: config(o), prefix: 'HOOK#' }),
  /** How many webhook endpoints there are: the limit is a condition on it. */
  webhookCount: (o: OrganizationId): Key => ({ pk: config(o), sk: 'HOOKS' }),
  syncStarts: (o: OrganizationId, minute: number): Key => ({ pk: org(o, 'RATE'), sk: `SYNC#${minute}` }),
  agentCalls: (o: OrganizationId, minute: number): Key => ({ pk: org(o, 'RATE'), sk: `AGENT#${minute}` }),

  token: (sha256: string): Key => ({ pk: `TOKEN#${sha256}`, sk: 'TOKEN' }),
  authorizationCode: (sha256: string): Key => ({ pk: `CODE#${sha256}`, sk: 'CODE' }),
  refreshToken: (sha256: string): Key => ({ pk: `REFRESH#${sha256}`, sk: 'REFRESH' }),
  /** What a client publishes of itself, by its id; of no organization. */
  clientDocument: (sha256: string): Key => ({ pk: `CLIENT#${sha256}`, sk: 'CLIENT' }),
  grant: (o: OrganizationId, id: string): Key => ({ pk: config(o), sk: `GRANT#${id}` }),
  grants: (o: OrganizationId) => ({ pk: config(o), prefix: 'GRANT#' }),
  consentCount: (o: OrganizationId): Key => ({ pk: config(o), sk: 'GRANTS' }),
  /** @param subject hash of the one who is asked */
  consents: (o: OrganizationId, subject: string, minute: number): Key => ({
    pk: org(o, 'RATE'),
    sk: `CONSENT#${subject}#${minute}`,
  }),
  refreshes: (o: OrganizationId, of: string, at: number): Key => ({ pk: org(o, 'RATE'), sk: `REFRESH#${of}#${at}` }),

  credentials: (o: OrganizationId, connectionId: ConnectionId): Key => ({
    pk: ofConnection(o, connectionId),
    sk: 'CREDENTIALS',
  }),
  run: (o: OrganizationId, connectionId: ConnectionId, runId: string): Key => ({
    pk: ofConnection(o, connectionId),
    sk: `RUN#${runId}`,
  }),
  runs: (o: OrganizationId, connectionId: ConnectionId) => ({ pk: ofConnection(o, connectionId), prefix: 'RUN#' }),
  progress: (o: OrganizationId, connectionId: ConnectionId, runId: string): Key => ({
    pk: ofConnection(o, connectionId),
    sk: `PROGRESS#${runId}`,
  }),
  /** What a scope of a run still has to do. */
  task: (o: OrganizationId, connectionId: ConnectionId, runId: string, scope: string): Key => ({
    pk: ofConnection(o, connectionId),
    sk: `WORK#${runId}#${scope}`,
  }),
  tasks: (o: OrganizationId, connectionId: ConnectionId, runId: string) => ({
    pk: ofConnection(o, connectionId),
    prefix: `WORK#${runId}#`,
  }),
  lease: (o: OrganizationId, connectionId: ConnectionId, scope: string): Key => ({
    pk: ofConnection(o, connectionId),
    sk: `LEASE#${scope}`,
  }),
  /** What is known of a scope over all its runs; an empty name begins those of all scopes. */
  coverage: ({ organizationId, connectionId, scope }: ScopeAddress): Key => ({
    pk: ofConnection(organizationId, connectionId),
    sk: `COVERAGE#${scope}`,
  }),
  /** Everything that hangs on a connection by its own partition: for the purge. */
  connectionItems: (o: OrganizationId, connectionId: ConnectionId) => ({
    pk: ofConnection(o, connectionId),
    prefix: '',
  }),
  /** Of the service, not of an organization: where the search for schedules that belong to nobody stands. */
  scheduleComparison: (): Key => ({ pk: org('-', 'SCHEDULES'), sk: 'COMPARISON' }),
  purge: (o: OrganizationId, connectionId: ConnectionId): Key => ({
    pk: org(o, 'PURGES'),
    sk: `PURGE#${connectionId}`,
  }),

  slot: (o: OrganizationId, source: string, login: string, n: number): Key => ({
    pk: org(o, `LOGIN#${source}#${login}`),
    sk: `SLOT#${n}`,
  }),
  slots: (o: OrganizationId, source: string, login: string) => ({
    pk: org(o, `LOGIN#${source}#${login}`),
    prefix: 'SLOT#',
  }),
  /** The session kept with a slot. */
  session: (o: OrganizationId, source: string, login: string, n: number): Key => ({
    pk: org(o, `LOGIN#${source}#${login}`),
    sk: `SESSION#${n}`,
  }),

  /** Tasks that wait for something of a connection: the lease of a scope, another scope of a run. */
  waiters: (o: OrganizationId, connectionId: ConnectionId, thing: string): WaiterList => ({
    pk: ofConnection(o, connectionId),
    prefix: `WAIT#${thing}#`,
  }),
  /** Tasks of any connection that wait for a session of a login. */
  waitersOfLogin: (o: OrganizationId, source: string, login: string): WaiterList => ({
    pk: org(o, `LOGIN#${source}#${login}`),
    prefix: 'WAIT#',
  }),
  /** Tasks of any connection that wait for the verdict of a login that is under way. */
  waitersOfVerdict: (o: OrganizationId, source: string, login: string): WaiterList => ({
    pk: org(o, `LOGIN#${source}#${login}`),
    prefix: 'VERDICT#',
  }),
  /** Oldest first. */
  waiter: (list: WaiterList, sinceIso: string, runId: string, scope: string): Key => ({
    pk: list.pk,
    sk: `${list.prefix}${sinceIso}#${runId}#${scope}`,
  }),

  /** What came of the requests of a login, beside its slots. */
  logins: (o: OrganizationId, source: string, login: string): Key => ({
    pk: org(o, `LOGIN#${source}#${login}`),
    sk: 'LOGINS',
  }),

  rows: (address: ScopeAddress, period: string, facets: string): string =>
    ofScope('ROWS', address, `#${period}#${facets}`),
  fullRow: (address: ScopeAddress, rowId: string): Key => ({ pk: ofScope('ROW', address, `#${rowId[0]}`), sk: rowId }),
  /** A block of the rows that belong to a row, beside it: whoever deletes the one deletes the other. */
  childRows: (address: ScopeAddress, rowId: string, n: number): Key => ({
    ...keys.fullRow(address, rowId),
    sk: `${rowId}#${n}`,
  }),
  fullRowPartitions: (address: ScopeAddress): string[] =>
    [...'0123456789abcdef'].map((hex) => ofScope('ROW', address, `#${hex}`)),
  index: (address: ScopeAddress): string => ofScope('INDEX', address),
  /** The newest sequence of each scope. */
  changes: (o: OrganizationId, connectionId: ConnectionId): Key => ({
    pk: ofConnection(o, connectionId),
    sk: 'CHANGES',
  }),
  /** A row that was removed, by the sequence of the write that removed the row. */
  tombstone: (address: ScopeAddress, sequence: number, rowId: string): Key => ({
    pk: keys.index(address),
    sk: `${TOMBSTONE}${sequenceKey(sequence)}#${rowId}`,
  }),
  /** Rows removed by writes from the first sequence to the last, both included. */
  tombstones: (address: ScopeAddress, first: number, last: number = Number.MAX_SAFE_INTEGER) => ({
    pk: keys.index(address),
    from: `${TOMBSTONE}${sequenceKey(first)}#`,
    to: `${TOMBSTONE}${sequenceKey(last)}#~`,
  }),
  summary: (address: ScopeAddress): Key => ({ pk: keys.index(address), sk: 'SUMMARY' }),
  /** Accounts of a bank that a scope ever listed. */
  accounts: (address: ScopeAddress): Key => ({ pk: keys.index(address), sk: 'ACCOUNTS' }),
  /** What the statements of a month began and ended with, by account. */
  statements: (address: ScopeAddress, period: string): Key => ({
    pk: keys.index(address),
    sk: `STATEMENTS#${period}`,
  }),
  /** What was told of the numbers of a month's rows. */
  numberNotes: (address: ScopeAddress, period: string): Key => ({ pk: keys.index(address), sk: `NUMBERS#${period}` }),
  periodPrefix: 'PERIOD#',
  period: (address: ScopeAddress, period: string): Key => ({ pk: keys.index(address), sk: `PERIOD#${period}` }),
  searchPrefix: (period: string): string => `SEARCH#${period}#`,
  /** Named after what all parts together hold: what a key holds never changes. */
  searchPart: (address: ScopeAddress, period: string, digest: string, n: number): Key => ({
    pk: keys.index(address),
    sk: `${keys.searchPrefix(period)}${digest}#${n}`,
  }),

  /** A tender with all its parts, of every connection that read it. */
  tender: (o: OrganizationId, codigo: string): string => org(o, `MP#${codigo}`),
  /** When a connection last read which scope of a tender. */
  tenderReads: (o: OrganizationId, codigo: string) => ({ pk: keys.tender(o, codigo), prefix: 'READ#' }),
  tenderRead: ({ organizationId, connectionId, codigo }: TenderAddress): Key => ({
    pk: keys.tender(organizationId, codigo),
    sk: `READ#${connectionId}`,
  }),
  tenderRows: (o: OrganizationId, codigo: string, scope: TenderScope) => ({
    pk: keys.tender(o, codigo),
    prefix: `${TENDER_ROWS[scope]}#`,
  }),
  tenderRowsOf: ({ organizationId, connectionId, codigo }: TenderAddress, scope: TenderScope) => ({
    pk: keys.tender(organizationId, codigo),
    prefix: `${TENDER_ROWS[scope]}#${connectionId}#`,
  }),
  tenderRow: (address: TenderAddress, scope: TenderScope, rowId: string): Key => {
    const { pk, prefix } = keys.tenderRowsOf(address, scope);
    return { pk, sk: prefix + rowId };
  },
  /** The tender as the list shows it, of whichever connection read it last. */
  tenderListed: (o: OrganizationId, codigo: string): Key => ({ pk: keys.tender(o, codigo), sk: 'LISTED' }),
  /** Where a tender stands in the list of the organization. */
  tenderEntry: (o: OrganizationId, state: string, when: { day: string; instant: string }, codigo: string): Key => ({
    pk: org(o, 'TENDERLIST'),
    sk: `ENTRY#${state}#${when.day}#${when.instant}#${codigo}`,
  }),
  /** Entries of a state, of the days from the first to the last, both included. */
  tenderEntries: (o: OrganizationId, state: string, firstDay: string, lastDay: string) => ({
    pk: org(o, 'TENDERLIST'),
    from: `ENTRY#${state}#${firstDay}#`,
    to: `ENTRY#${state}#${lastDay}#~`,
  }),
  /** How many tenders of a month each day and state has. */
  tenderMonth: (o: OrganizationId, month: string): Key => ({ pk: org(o, 'TENDERLIST'), sk: `MONTH#${month}` }),
  tenderMonths: (o: OrganizationId) => ({ pk: org(o, 'TENDERLIST'), prefix: 'MONTH#' }),

  /** What a connection knows: its tenders and its stored files. */
  tendersOf: (o: OrganizationId, connectionId: ConnectionId) => ({
    pk: org(o, `TENDERS#${connectionId}`),
    prefix: 'TENDER#',
  }),
  filesOf: (o: OrganizationId, connectionId: ConnectionId) => ({
    pk: org(o, `TENDERS#${connectionId}`),
    prefix: 'FILE#',
  }),
  /** Its tenders are being deleted, and nobody was told yet. */
  tendersDeleting: (o: OrganizationId, connectionId: ConnectionId): Key => ({
    pk: org(o, `TENDERS#${connectionId}`),
    sk: 'DELETING',
  }),
  /** Changes of tenders, one after the other over all connections; and the last number that was given. */
  tenderChange: (o: OrganizationId, n: number): Key => ({ pk: org(o, 'TENDERCHANGES'), sk: sequenceKey(n) }),
  tenderChanges: (o: OrganizationId, first: number) => ({
    pk: org(o, 'TENDERCHANGES'),
    from: sequenceKey(first),
    to: sequenceKey(Number.MAX_SAFE_INTEGER),
  }),
  lastTenderChange: (o: OrganizationId): Key => ({ pk: org(o, 'TENDERCHANGES'), sk: 'LAST' }),
  tenderOf: ({ organizationId, connectionId, codigo }: TenderAddress): Key => ({
    pk: org(organizationId, `TENDERS#${connectionId}`),
    sk: `TENDER#${codigo}`,
  }),
  fileOf: (o: OrganizationId, connectionId: ConnectionId, documentId: string): Key => ({
    pk: org(o, `TENDERS#${connectionId}`),
    sk: `FILE#${documentId}`,
  }),
  /** Stored files of a document, by whichever connection fetched it. */
  documentFiles: (o: OrganizationId, documentId: string): string => org(o, `FILE#${documentId}`),
  documentFile: (o: OrganizationId, documentId: string, connectionId: ConnectionId): Key => ({
    pk: keys.documentFiles(o, documentId),
    sk: `CONN#${connectionId}`,
  }),

  delivery: (o: OrganizationId, endpointId: string, deliveryId: string): Key => ({
    pk: ofHook(o, endpointId),
    sk: `DELIVERY#${deliveryId}`,
  }),
  deliveries: (o: OrganizationId, endpointId: string) => ({ pk: ofHook(o, endpointId), prefix: 'DELIVERY#' }),
  /** Which attempts of an endpoint are in flight: their number is a condition on it. */
  webhookSlots: (o: OrganizationId, endpointId: string): Key => ({ pk: ofHook(o, endpointId), sk: 'SLOTS' }),

  idempotency: (o: OrganizationId, hash: string): Key => ({ pk: org(o, 'IDEM'), sk: hash }),
};

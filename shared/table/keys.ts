/**
 * Builds the key strings of the table; a test checks that only the key files do. Every key begins with the organization,
 * except those of items found by the hash of a secret that a stranger sends, which then give the organization (`TOKEN#`,
 * `CODE#`, `REFRESH#`), and of documents that clients publish (`CLIENT#`). Access patterns: docs/data-model.md.
 */
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { type NumberedList, numberedList, sequenceKey } from './numbered-list.ts';

export interface Key {
  pk: string;
  sk: string;
}

/** Addresses the rows of one scope of a connection. */
export interface ScopeAddress {
  organizationId: OrganizationId;
  connectionId: ConnectionId;
  scope: string;
}

/** Addresses a tender as one connection read it. */
export interface TenderAddress {
  organizationId: OrganizationId;
  connectionId: ConnectionId;
  /** Tender code in upper case. */
  codigo: string;
}

/** List of tasks that wait for the same event. */
export type WaiterList = Record<'pk' | 'prefix', string>;

const org = (organizationId: OrganizationId, rest: string): string => `ORG#${organizationId}#${rest}`;
const config = (organizationId: OrganizationId): string => org(organizationId, 'CONFIG');
const ofConnection = (o: OrganizationId, connectionId: ConnectionId): string => org(o, `CONN#${connectionId}`);
const ofTenders = (o: OrganizationId, connectionId: ConnectionId): string => org(o, `TENDERS#${connectionId}`);
/** What connections have in common: login and company at a source, reference, or RUT of the company. */
export type SharedTrait = readonly [kind: 'ACCOUNT' | 'REFERENCE' | 'COMPANY', value: string, account?: string];
const ofTrait = (o: OrganizationId, trait: SharedTrait): string => org(o, [...trait].join('#'));
const ofHook = (o: OrganizationId, endpointId: string): string => org(o, `HOOK#${endpointId}`);

const ofScope = (area: string, { organizationId, connectionId, scope }: ScopeAddress, rest = ''): string =>
  org(organizationId, `${area}#${connectionId}#${scope}${rest}`);

const TOMBSTONE = 'GONE#';
const TENDER_ROWS = { licitaciones: 'FICHA', documentos: 'DOC', preguntas: 'PREGUNTA', ofertas: 'OFERTA' } as const;
export type TenderScope = keyof typeof TENDER_ROWS;
export const TENDER_SCOPES = Object.keys(TENDER_ROWS) as TenderScope[];

/** Data that a simulated institution remembers about a credential, in the sandbox table. */
export const sandboxMemoryKey = (institution: string, owner: string): Key => ({
  pk: `SANDBOX#${institution}`,
  sk: `MEMORY#${owner}`,
});

export const keys = {
  connection: (o: OrganizationId, id: ConnectionId): Key => ({ pk: config(o), sk: `CONN#${id}` }),
  connectionCount: (o: OrganizationId): Key => ({ pk: config(o), sk: 'CONNECTIONS' }),
  connections: (o: OrganizationId) => ({ pk: config(o), prefix: 'CONN#' }),
  connectionEntry: (o: OrganizationId, of: SharedTrait, id: string): Key => ({ pk: ofTrait(o, of), sk: `CONN#${id}` }),
  connectionEntries: (o: OrganizationId, of: SharedTrait) => ({ pk: ofTrait(o, of), prefix: 'CONN#' }),
  apiKey: (o: OrganizationId, id: string): Key => ({ pk: config(o), sk: `KEY#${id}` }),
  apiKeys: (o: OrganizationId) => ({ pk: config(o), prefix: 'KEY#' }),
  webhookEndpoint: (o: OrganizationId, id: string): Key => ({ pk: config(o), sk: `HOOK#${id}` }),
  webhookEndpoints: (o: OrganizationId) => ({ pk: config(o), prefix: 'HOOK#' }),
  /** Number of webhook endpoints. The limit of endpoints is a condition on this item. */
  webhookCount: (o: OrganizationId): Key => ({ pk: config(o), sk: 'HOOKS' }),
  syncStarts: (o: OrganizationId, minute: number): Key => ({ pk: org(o, 'RATE'), sk: `SYNC#${minute}` }),
  webhookTests: (o: OrganizationId, minute: number): Key => ({ pk: org(o, 'RATE'), sk: `TEST#${minute}` }),
  agentCalls: (o: OrganizationId, minute: number): Key => ({ pk: org(o, 'RATE'), sk: `AGENT#${minute}` }),
  reads: (o: OrganizationId, who: string, at: number): Key => ({ pk: org(o, 'RATE'), sk: `READS#${who}#${at}` }),

  token: (sha256: string): Key => ({ pk: `TOKEN#${sha256}`, sk: 'TOKEN' }),
  authorizationCode: (sha256: string): Key => ({ pk: `CODE#${sha256}`, sk: 'CODE' }),
  refreshToken: (sha256: string): Key => ({ pk: `REFRESH#${sha256}`, sk: 'REFRESH' }),
  /** Document that a client publishes, by the client's id. It belongs to no organization. */
  clientDocument: (sha256: string): Key => ({ pk: `CLIENT#${sha256}`, sk: 'CLIENT' }),
  clientKeys: (sha256: string): Key => ({ pk: `CLIENT#${sha256}`, sk: 'KEYS' }),
  clientAssertion: (sha256: string, jti: string): Key => ({ pk: `CLIENT#${sha256}`, sk: `ASSERTION#${jti}` }),
  grant: (o: OrganizationId, id: string): Key => ({ pk: config(o), sk: `GRANT#${id}` }),
  grants: (o: OrganizationId) => ({ pk: config(o), prefix: 'GRANT#' }),
  consentCount: (o: OrganizationId): Key => ({ pk: config(o), sk: 'GRANTS' }),
  /** @param subject hash of the person who is asked */
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
  /** The task of a scope in a run. */
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
  /** Coverage of a scope over all its runs. With an empty scope name, the sort key is the prefix for all scopes. */
  coverage: ({ organizationId, connectionId, scope }: ScopeAddress): Key => ({
    pk: ofConnection(organizationId, connectionId),
    sk: `COVERAGE#${scope}`,
  }),
  /** All items in a connection's own partition, for the purge. */
  connectionItems: (o: OrganizationId, connectionId: ConnectionId) => ({
    pk: ofConnection(o, connectionId),
    prefix: '',
  }),
  /** Position of the search for schedules without a connection. It belongs to the service, not to an organization. */
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
  /** The session stored with a slot. */
  session: (o: OrganizationId, source: string, login: string, n: number): Key => ({
    pk: org(o, `LOGIN#${source}#${login}`),
    sk: `SESSION#${n}`,
  }),

  /** Tasks that wait for the lease of a scope. */
  waiters: (o: OrganizationId, connectionId: ConnectionId, scope: string): WaiterList => ({
    pk: ofConnection(o, connectionId),
    prefix: `WAIT#${scope}#`,
  }),
  /** Tasks of any connection that wait for a slot of a login. */
  waitersOfLogin: (o: OrganizationId, source: string, login: string): WaiterList => ({
    pk: org(o, `LOGIN#${source}#${login}`),
    prefix: 'WAIT#',
  }),
  /** Tasks of any connection that wait for the verdict of a running login. */
  waitersOfVerdict: (o: OrganizationId, source: string, login: string): WaiterList => ({
    pk: org(o, `LOGIN#${source}#${login}`),
    prefix: 'VERDICT#',
  }),
  /** The keys of waiters sort oldest first. */
  waiter: (list: WaiterList, sinceIso: string, runId: string, scope: string): Key => ({
    pk: list.pk,
    sk: `${list.prefix}${sinceIso}#${runId}#${scope}`,
  }),

  /** The history of a login's requests, next to its slots. */
  logins: (o: OrganizationId, source: string, login: string): Key => ({
    pk: org(o, `LOGIN#${source}#${login}`),
    sk: 'LOGINS',
  }),

  rows: (address: ScopeAddress, period: string, facets: string): string =>
    ofScope('ROWS', address, `#${period}#${facets}`),
  fullRow: (address: ScopeAddress, rowId: string): Key => ({ pk: ofScope('ROW', address, `#${rowId[0]}`), sk: rowId }),
  /** A block of child rows, next to their row, so that both are deleted together. */
  childRows: (address: ScopeAddress, rowId: string, n: number): Key => ({
    ...keys.fullRow(address, rowId),
    sk: `${rowId}#${n}`,
  }),
  fullRowPartitions: (address: ScopeAddress): string[] =>
    [...'0123456789abcdef'].map((hex) => ofScope('ROW', address, `#${hex}`)),
  index: (address: ScopeAddress): string => ofScope('INDEX', address),
  /** Scopes with changes, numbered over all connections of a part. */
  organizationChanges: (o: OrganizationId, part: number): NumberedList => numberedList(org(o, `CHANGES#${part}`)),
  /** The newest sequence of each scope. */
  changes: (o: OrganizationId, connectionId: ConnectionId): Key => ({
    pk: ofConnection(o, connectionId),
    sk: 'CHANGES',
  }),
  /** A removed row, by the sequence of the write that removed it. */
  tombstone: (address: ScopeAddress, sequence: number, rowId: string): Key => ({
    pk: keys.index(address),
    sk: `${TOMBSTONE}${sequenceKey(sequence)}#${rowId}`,
  }),
  /** Rows removed by writes from the first to the last sequence, both included. */
  tombstones: (address: ScopeAddress, first: number, last: number = Number.MAX_SAFE_INTEGER) => ({
    pk: keys.index(address),
    from: `${TOMBSTONE}${sequenceKey(first)}#`,
    to: `${TOMBSTONE}${sequenceKey(last)}#~`,
  }),
  summary: (address: ScopeAddress): Key => ({ pk: keys.index(address), sk: 'SUMMARY' }),
  /** Accounts of a bank that the scope has ever seen in a list. */
  accounts: (address: ScopeAddress): Key => ({ pk: keys.index(address), sk: 'ACCOUNTS' }),
  /** Opening and closing balances of a month's statements, by account. */
  statements: (address: ScopeAddress, period: string): Key => ({ pk: keys.index(address), sk: `STATEMENTS#${period}` }),
  /** Contradictions in a month that wait for a later reading. */
  doubts: (address: ScopeAddress, period: string): Key => ({ pk: keys.index(address), sk: `DOUBTS#${period}` }),
  /** Notes about the source's row numbers of a month. */
  numberNotes: (address: ScopeAddress, period: string): Key => ({ pk: keys.index(address), sk: `NUMBERS#${period}` }),
  periodPrefix: 'PERIOD#',
  period: (address: ScopeAddress, period: string): Key => ({ pk: keys.index(address), sk: `PERIOD#${period}` }),
  searchPrefix: (period: string): string => `SEARCH#${period}#`,
  /** The key contains the digest of all parts of the index, so the content of a key never changes. */
  searchPart: (address: ScopeAddress, period: string, digest: string, n: number): Key => ({
    pk: keys.index(address),
    sk: `${keys.searchPrefix(period)}${digest}#${n}`,
  }),

  /** A tender with all its parts, from every connection that read it. */
  tender: (o: OrganizationId, codigo: string): string => org(o, `MP#${codigo}`),
  /** When a connection last read each scope of a tender. */
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
  /** The tender as the list shows it, from the connection that read it last. */
  tenderListed: (o: OrganizationId, codigo: string): Key => ({ pk: keys.tender(o, codigo), sk: 'LISTED' }),
  /** Position of a tender in the list of the organization. */
  tenderEntry: (o: OrganizationId, state: string, when: { day: string; instant: string }, codigo: string): Key => ({
    pk: org(o, 'TENDERLIST'),
    sk: `ENTRY#${state}#${when.day}#${when.instant}#${codigo}`,
  }),
  /** Entries of a state from the first to the last day, both included. */
  tenderEntries: (o: OrganizationId, state: string, firstDay: string, lastDay: string) => ({
    pk: org(o, 'TENDERLIST'),
    from: `ENTRY#${state}#${firstDay}#`,
    to: `ENTRY#${state}#${lastDay}#~`,
  }),
  /** Number of tenders of a month, by day and state. */
  tenderMonth: (o: OrganizationId, month: string): Key => ({ pk: org(o, 'TENDERLIST'), sk: `MONTH#${month}` }),
  tenderMonths: (o: OrganizationId) => ({ pk: org(o, 'TENDERLIST'), prefix: 'MONTH#' }),

  /** Tenders of a connection, and the connection's stored files. */
  tendersOf: (o: OrganizationId, connectionId: ConnectionId) => ({ pk: ofTenders(o, connectionId), prefix: 'TENDER#' }),
  filesOf: (o: OrganizationId, connectionId: ConnectionId) => ({ pk: ofTenders(o, connectionId), prefix: 'FILE#' }),
  /** Marks that the connection's tenders are being deleted and no entry announces the deletion yet. */
  tendersDeleting: (o: OrganizationId, connectionId: ConnectionId): Key => ({
    pk: ofTenders(o, connectionId),
    sk: 'DELETING',
  }),
  /** Changes of tenders, numbered over all connections. */
  tenderChanges: (o: OrganizationId): NumberedList => numberedList(org(o, 'TENDERCHANGES')),
  tenderOf: ({ organizationId, connectionId, codigo }: TenderAddress): Key => ({
    pk: ofTenders(organizationId, connectionId),
    sk: `TENDER#${codigo}`,
  }),
  fileOf: (o: OrganizationId, connectionId: ConnectionId, documentId: string): Key => ({
    pk: ofTenders(o, connectionId),
    sk: `FILE#${documentId}`,
  }),
  /** Stored files of a document, by the connection that fetched them. */
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
  webhookAttempt: (o: OrganizationId, endpointId: string, deliveryId: string, number: number): Key => ({
    pk: ofHook(o, endpointId),
    sk: `ATTEMPT#${deliveryId}#${String(number).padStart(6, '0')}`,
  }),
  webhookAttempts: (o: OrganizationId, endpointId: string, deliveryId: string) => ({
    pk: ofHook(o, endpointId),
    prefix: `ATTEMPT#${deliveryId}#`,
  }),
  /** Holds the running attempts of an endpoint. A condition on this item limits their number. */
  webhookSlots: (o: OrganizationId, endpointId: string): Key => ({ pk: ofHook(o, endpointId), sk: 'SLOTS' }),

  idempotency: (o: OrganizationId, hash: string): Key => ({ pk: org(o, 'IDEM'), sk: hash }),
  auditEvent: (o: OrganizationId, id: string): Key => ({ pk: org(o, 'AUDIT'), sk: id }),
};

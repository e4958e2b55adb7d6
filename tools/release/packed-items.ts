/**
 * Stored items whose content no schema describes: bytes that our own code packs, and list rows, which are read without
 * a codec. Here the service's own functions write and read each of these items, so that two versions can be compared.
 */
import { isDeepStrictEqual } from 'node:util';
import { inflateRawSync, inflateSync } from 'node:zlib';
import * as z from 'zod';
import { summaryAttributes, summaryEntry, summaryFromItem } from '#shared/rows/index/summary.ts';
import { packIndex, unpackIndex } from '#shared/rows/item/page-index-codec.ts';
import { fullItem, inflateRaw, listItem, storedFullRow, storedRow } from '#shared/rows/item/row-items.ts';
import type { HeldPeriod } from '#shared/rows/item/scope-address.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { compress, decompress } from '#shared/tenders/tender-items.ts';
import type { StoredFinding } from './stored-items.ts';
import { fromText, toText } from './stored-values.ts';

// biome-ignore lint/suspicious/noExplicitAny: an item of any kind, read by the function of its kind
type PackedItem = Record<string, any>;

export interface PackedKind {
  write(): PackedItem | Promise<PackedItem>;
  read(item: PackedItem): unknown;
}

/** One item of a kind as a release stores it. */
export interface ReleasedPacked {
  item: PackedItem;
  /** Content that the release's code reads from `item`. */
  read: unknown;
}

const INDEX = {
  facets: ['issued|', 'received|'],
  blocks: [
    { day: '2026-11-24', sortKey: '2026-11-24', counts: [2, 1] },
    { day: '0000-00-00', sortKey: '0000-00-00', counts: [0, 1] },
  ],
};

const SCOPE = {
  source: 'tax',
  name: 'rcv',
  listRow: z.object({ id: z.string(), folio: z.string(), created_at: z.string() }),
  parsed: z.object({ folio: z.string() }),
  statement: () => ({ account: '123', isOpen: true }),
} as unknown as ScopeDefinition;

const HELD: HeldPeriod = {
  address: { organizationId: 'organization', connectionId: 'connection', scope: 'rcv' },
  scope: SCOPE,
  period: '2026-11',
  lease: {
    organizationId: 'organization',
    connectionId: 'connection',
    scope: 'rcv',
    holder: 'holder',
    fence: 3,
    slot: null,
    writes: 7,
    expiresAtMs: 0,
  },
};

const ROW = {
  id: '01890000-0000-7000-8000-000000000001',
  facets: 'issued|',
  sortKey: '2026-11-24#01890000-0000-7000-8000-000000000001',
  hash: 'hash',
  searchText: null,
  statement: { account: '123', isOpen: true },
  row: { folio: '7' },
  childRows: null,
  raw: '{"Folio":"7"}',
  rawPayloadId: 'answer',
};
const HISTORY = {
  createdAt: '2026-11-24T12:00:00.000Z',
  createdRun: 'first',
  updatedRun: 'second',
  createdSequence: 20_001,
};

export const PACKED_KINDS: Readonly<Record<string, PackedKind>> = {
  'page index': {
    write: () => ({ facets: INDEX.facets, packed: packIndex(INDEX) }),
    read: ({ packed, facets }) => unpackIndex(packed, facets),
  },
  summary: {
    write: () => {
      const head = {
        version: 2,
        syncedAt: '2026-11-24T12:00:00.000Z',
        writtenAtMs: 1,
        search: { digest: 'd', parts: 1 },
      };
      const { days, ...totals } = summaryEntry(INDEX, head);
      return summaryAttributes({ '2026-11': { ...totals, days }, '2026-10': { ...totals, days: null } });
    },
    read: ({ packed }) => summaryFromItem({ pk: '', sk: '', packed }),
  },
  'list row': {
    write: () => listItem(HELD, ROW, HISTORY),
    read: (item) => storedRow(SCOPE, ROW.facets, item as Parameters<typeof storedRow>[2]),
  },
  document: {
    write: () => fullItem(HELD, ROW, HISTORY, 2),
    read: async (item) => {
      const { raw, ...document } = storedFullRow(item as Parameters<typeof storedFullRow>[0]);
      return { ...document, raw: await inflateRaw(raw) };
    },
  },
  'packed row of a tender': {
    write: async () => ({ packed: new Uint8Array(await compress({ codigo: '1-1-L126' })) }),
    read: ({ packed }) => decompress(packed),
  },
};

export const currentPacked = async (
  kinds: Readonly<Record<string, PackedKind>> = PACKED_KINDS,
): Promise<Record<string, ReleasedPacked>> => {
  const entries = Object.entries(kinds).map(async ([name, { write, read }]) => {
    const item = await write();
    return [name, { item, read: await read(item) }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
};

/**
 * Returns compressed content uncompressed, because two versions of zlib may compress the same content to different
 * bytes.
 */
const contentOf = (value: unknown): unknown => {
  if (!(value instanceof Uint8Array)) return value;
  try {
    return inflateSync(value).toString('utf8');
  } catch {
    return inflateRawSync(value).toString('utf8');
  }
};

const isRead = async ({ read }: PackedKind, released: ReleasedPacked): Promise<boolean> => {
  try {
    return isDeepStrictEqual(fromText(toText(await read(released.item))), released.read);
  } catch {
    return false;
  }
};

/**
 * Resolves with the differences. They are empty when the current code reads the release's items, and packs the same
 * content in the same form.
 */
export const findOtherPacked = async (
  released: Readonly<Record<string, ReleasedPacked>>,
  kinds: Readonly<Record<string, PackedKind>> = PACKED_KINDS,
): Promise<StoredFinding[]> => {
  const findings: StoredFinding[] = [];
  for (const [subject, before] of Object.entries(released)) {
    const kind = kinds[subject];
    if (kind === undefined || !(await isRead(kind, before))) {
      findings.push({ subject, says: 'the release packed it, and it is not read as it was' });
      continue;
    }
    const now = await kind.write();
    for (const attribute of new Set([...Object.keys(before.item), ...Object.keys(now)]))
      if (!isDeepStrictEqual(contentOf(now[attribute]), contentOf(before.item[attribute])))
        findings.push({
          subject: `${subject}.${attribute}`,
          says: 'it is written in another form than the code of the release reads',
        });
  }
  return findings;
};

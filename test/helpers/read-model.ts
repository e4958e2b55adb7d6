/**
 * The expected answers of lists, by the plainest means: an array, filtered and sorted. The model knows nothing of how
 * rows are stored.
 */
import type { Row } from '#shared/scopes/scope.ts';

export interface ModelRow {
  id: string;
  period: string | null;
  /** Santiago day of the scope's event date. */
  day: string | null;
  instant: string | null;
  row: Row;
}

export interface ModelFilter {
  period?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  q?: string | undefined;
  fields: Readonly<Record<string, string | undefined>>;
}

const santiago = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Santiago', dateStyle: 'short' });
const santiagoDay = (iso: string): string => santiago.format(new Date(iso));

/** decisions.md §7: the date by which a list is ordered and filtered. */
const EVENT_FIELD: Record<string, string> = {
  'tax.rcv': 'issued_at',
  'tax.guias': 'issued_at',
  'bankone.transfers': 'transferred_at',
  'bankone.nominas': 'nomina_date',
};

export const modelRow = (scope: string, id: string, row: Row): ModelRow => {
  if (scope === 'tax.boletas')
    return {
      id,
      period: row.period as string,
      day: `${row.period}-${String(row.day).padStart(2, '0')}`,
      instant: null,
      row,
    };
  const isBalance = scope.endsWith('.balances');
  const field = isBalance ? 'observed_at' : (EVENT_FIELD[scope] ?? 'fecha_movimiento');
  const date = (row[field] ?? null) as string | null;
  const isInstant = date?.includes('T') ?? false;
  return {
    id,
    period: isBalance ? null : (row.period as string),
    day: date !== null && isInstant ? santiagoDay(date) : date,
    instant: isInstant ? date : null,
    row,
  };
};

const plain = (text: unknown): string =>
  String(text ?? '')
    .toLowerCase()
    .replaceAll(/[áéíóúñ]/g, (c) => 'aeioun'['áéíóúñ'.indexOf(c)]!);
const bare = (text: unknown): string => plain(text).replaceAll(/[.-]/g, '');

const isFound = (row: Row, q: string): boolean =>
  [row.counterparty_name, row.issuer_name, row.receiver_name, row.folio].some((text) =>
    plain(text).includes(plain(q)),
  ) ||
  (bare(q) !== '' &&
    [row.counterparty_rut, row.issuer_rut, row.receiver_rut].some((rut) => bare(rut).includes(bare(q))));

const place = ({ period, day, instant, id }: ModelRow): string[] => [period ?? '', day ?? '', instant ?? '', id];
const newestFirst = (a: ModelRow, b: ModelRow): number => {
  const [of, other] = [place(a), place(b)];
  const at = of.findIndex((part, n) => part !== other[n]);
  return at < 0 ? 0 : of[at]! < other[at]! ? 1 : -1;
};

export const expectedRows = (rows: Iterable<ModelRow>, filter: ModelFilter): ModelRow[] =>
  [...rows]
    .filter(
      ({ period, day, row }) =>
        (filter.period === undefined || period === filter.period) &&
        (filter.from === undefined || (day !== null && day >= filter.from)) &&
        (filter.to === undefined || (day !== null && day <= filter.to)) &&
        (filter.q === undefined || isFound(row, filter.q)) &&
        Object.entries(filter.fields).every(([field, value]) => value === undefined || row[field] === value),
    )
    .sort(newestFirst);

/** The first, and therefore newest, row of every account and currency. */
export const expectedLatest = (rows: Iterable<ModelRow>, filter: ModelFilter): ModelRow[] => {
  const seen = new Set<string>();
  return expectedRows(rows, filter).filter(({ row }) => {
    const of = JSON.stringify([row.numero_cuenta, row.currency]);
    return !seen.has(of) && seen.add(of);
  });
};

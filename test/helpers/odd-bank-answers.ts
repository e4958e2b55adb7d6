/**
 * Odd answers of the three banks, as they were put in front of good rows. Each one is right in itself: counts, echoes
 * and arithmetic fit, so that only the stored month shows that it is wrong.
 */
import type { Lie, Told } from '#test/fakes/lying-wire.ts';

export type Json = Record<string, unknown>;

const utf8 = (body: string): string => Buffer.from(body, 'latin1').toString('utf8');
const wire = (text: string): string => Buffer.from(text).toString('latin1');

/** Changes a JSON answer whose path ends with `end`. A guard before the JSON stays. */
export const inJson =
  (end: string, change: (body: Json, asked: Json) => void): Lie =>
  (path, asked, { status, body }): Told | undefined => {
    if (!path.endsWith(end) || status !== 200) return undefined;
    const text = utf8(body);
    const at = text.indexOf('{');
    const parsed = JSON.parse(text.slice(at)) as Json;
    change(parsed, asked.startsWith('{') ? (JSON.parse(asked) as Json) : {});
    return { status, body: wire(text.slice(0, at) + JSON.stringify(parsed)) };
  };

const OPEN = '/getcartola';
const CLOSED = '/cartolas/detalle';
const TRANSFERS = '/transferencias/consultar';

interface OpenRow extends Json {
  monto: string;
  tipo: string;
  saldoMovimiento: string;
  numeroDocumento: string | null;
  descripcion: string;
}
const openRows = (body: Json): OpenRow[] => body.movimientos as OpenRow[];
const spelled = (value: number, like: string): string => (like.includes('.') ? value.toFixed(2) : String(value));
const added = (text: string, by: number): string => spelled(Number(text) + by, text);
const signed = ({ monto, tipo }: OpenRow): number => (tipo === 'cargo' ? -Number(monto) : Number(monto));

/** Adds to the balances of the rows before `at` (they are newer), and to the closing balance. */
const shiftNewer = (body: Json, at: number, by: number): void => {
  for (const row of openRows(body).slice(0, at)) row.saldoMovimiento = added(row.saldoMovimiento, by);
  body.saldoFinal = added(String(body.saldoFinal), by);
};

const setCount = (body: Json, count: number): void => {
  const [page] = body.pagina as Json[];
  page!.totalRegistros = typeof page!.totalRegistros === 'string' ? String(count) : count;
};

const AT = 6;

export const BANK_ONE_OPEN: Readonly<Record<string, Lie>> = {
  'no documents': inJson(OPEN, (body) => {
    for (const row of openRows(body)) row.numeroDocumento = null;
  }),
  'text and document exchanged': inJson(OPEN, (body) => {
    for (const row of openRows(body)) {
      const { descripcion, numeroDocumento } = row;
      if (/^\d+$/.test(numeroDocumento ?? ''))
        Object.assign(row, { descripcion: numeroDocumento, numeroDocumento: `${descripcion.length}77` });
    }
  }),
  'documents rotated': inJson(OPEN, (body) => {
    const rows = openRows(body);
    const documents = rows.map(({ numeroDocumento }) => numeroDocumento);
    rows.forEach((row, n) => {
      row.numeroDocumento = documents[(n + 1) % rows.length]!;
    });
  }),
  'one amount changed, with balances that fit': inJson(OPEN, (body) => {
    const row = openRows(body)[AT];
    if (!row) return;
    const by = signed(row) > 0 ? 1_000 : -1_000;
    row.monto = added(row.monto, 1_000);
    shiftNewer(body, AT + 1, by);
  }),
  'one movement left out, with balances that fit': inJson(OPEN, (body) => {
    const row = openRows(body)[AT];
    if (!row || openRows(body).length === 50) return;
    shiftNewer(body, AT, -signed(row));
    body.movimientos = openRows(body).filter((one) => one !== row);
    setCount(body, openRows(body).length);
  }),
  'an older copy of the month': inJson(OPEN, (body) => {
    const rows = openRows(body);
    if (rows.length < 4 || rows.length === 50) return;
    const older = rows.slice(Math.floor(rows.length / 2));
    Object.assign(body, { movimientos: older, saldoFinal: older[0]!.saldoMovimiento });
    setCount(body, older.length);
  }),
  'only the second half of the month': inJson(OPEN, (body) => {
    const rows = openRows(body);
    if (rows.length < 4 || rows.length === 50) return;
    const newer = rows.slice(0, Math.floor(rows.length / 2));
    const before = rows[newer.length]!.saldoMovimiento;
    Object.assign(body, { movimientos: newer, saldoInicial: before });
    setCount(body, newer.length);
  }),
};

interface ClosedPage extends Json {
  saldoInicial: string;
  saldoFinal: string;
  lineas: { saldo: string }[];
}

export const emptyStatements: Lie = inJson(CLOSED, (body) => {
  Object.assign(body, { saldoInicial: '0', saldoFinal: '0', lineas: [], totalPaginas: 1 });
});

/** The second half of the lines of a month, with an opening balance that fits them. */
export const secondHalf = (month: string): Lie =>
  inJson(CLOSED, (body) => {
    const { lineas } = body as ClosedPage;
    if (body.periodo !== month || lineas.length < 2) return;
    const half = Math.floor(lineas.length / 2);
    Object.assign(body, { saldoInicial: lineas[half - 1]!.saldo, lineas: lineas.slice(half) });
  });

interface TransferRow extends Json {
  monto: string;
  fecha: string;
  rutContraparte: string;
  nombreContraparte: string;
}
const transferRows = (body: Json): TransferRow[] => (body.transferencias ?? []) as TransferRow[];
const everyTransfer = (change: (row: TransferRow, all: readonly TransferRow[], at: number) => Json): Lie =>
  inJson(TRANSFERS, (body) => {
    const before = transferRows(body).map((row) => ({ ...row }));
    for (const [at, row] of transferRows(body).entries()) Object.assign(row, change(row, before, at));
  });

export const BANK_ONE_TRANSFERS: Readonly<Record<string, Lie>> = {
  'all amounts ten times larger': everyTransfer(({ monto }) => ({
    monto: spelled(Number(monto) * 10, monto),
  })),
  'counterparties rotated': everyTransfer((_, all, at) => {
    const { rutContraparte, nombreContraparte } = all[(at + 1) % all.length]!;
    return { rutContraparte, nombreContraparte };
  }),
  'names masked': everyTransfer(() => ({ nombreContraparte: '*****' })),
  'dollars on an account in pesos': everyTransfer(({ monto }) => ({ moneda: 'USD', monto: `${monto}.00` })),
  'the first third of each list': inJson(TRANSFERS, (body) => {
    const rows = transferRows(body);
    if (rows.length < 3 || rows.length === 50) return;
    body.transferencias = rows.slice(0, Math.ceil(rows.length / 3));
    setCount(body, transferRows(body).length);
  }),
};

/** The list of received transfers in answer to the question for sent ones. The echo fits. */
export const exchangedDirections = (): Lie => {
  const received = new Map<string, Json>();
  return inJson(TRANSFERS, (body, asked) => {
    const key = `${asked.numeroCuenta} ${asked.fechaDesde} ${asked.paginacionDesde}`;
    if (asked.direccion === 'RECIBIDAS') received.set(key, structuredClone(body));
    else Object.assign(body, received.get(key), { direccion: 'ENVIADAS' });
  });
};

export const BANK_ONE_BATCHES: Readonly<Record<string, Lie>> = {
  'amounts of all batches ten times larger': (path, asked, answer) => {
    const batches = inJson('/nominas/consultar', (body) => {
      for (const batch of body.nominas as Json[])
        batch.montoTotal = spelled(Number(batch.montoTotal) * 10, String(batch.montoTotal));
    });
    const payments = inJson('/nominas/detalle', (body) => {
      for (const payment of body.pagos as Json[])
        payment.monto = spelled(Number(payment.monto) * 10, String(payment.monto));
    });
    return batches(path, asked, answer) ?? payments(path, asked, answer);
  },
  'payees rotated within their batch': inJson('/nominas/detalle', (body) => {
    const payments = body.pagos as Json[];
    const before = payments.map(({ rut, nombre }) => ({ rut, nombre }));
    for (const [n, payment] of payments.entries()) Object.assign(payment, before[(n + 1) % before.length]);
  }),
  'all batches but one': inJson('/nominas/consultar', (body) => {
    const batches = body.nominas as Json[];
    if (batches.length < 2) return;
    body.nominas = batches.slice(0, -1);
    setCount(body, batches.length - 1);
  }),
};

/**
 * Rows of every scope as parsers would return them, random but plausible. Few days, names and amounts, so that ties
 * occur.
 */
import type { Row } from '#shared/scopes/scope.ts';
import { TENDER_STATES } from '#shared/scopes/tender.ts';
import type { Random } from './random.ts';

export const PERIODS = ['2026-09', '2026-10', '2026-11'] as const;
const NAMES = ['ÑANDÚ Y CÍA LTDA', 'Muñoz Hnos.', 'COMERCIAL ANDES S.A.', 'ferretería ñuñoa', 'PEÑA', 'X'];
const RUTS = ['76543210-3', '9876543-3', '70000001-K', '12345678-5'];
const DAYS = ['01', '02', '15', '16', '17', '28'];

const two = (n: number): string => String(n).padStart(2, '0');
const day = (random: Random, period: string): string => `${period}-${random.pick(DAYS)}`;
const amount = (random: Random): string => String(random.int(1, 9) * 1000);
/** UTC instants around midnight in Santiago, where day and UTC date differ. */
const instant = (random: Random, period: string): string =>
  `${period}-${random.pick(DAYS.slice(1))}T${two(random.int(0, 23))}:${random.pick(['00', '30'])}:00.000Z`;

const direction = (random: Random): 'received' | 'issued' => random.pick(['received', 'issued']);

const movement = (random: Random, period: string, n: number): Row => {
  const way = direction(random);
  return {
    period,
    numero_cuenta: random.pick(['001230045607', '501230000819']),
    fecha_movimiento: random.maybe(day(random, period)),
    descripcion: random.maybe(random.pick(NAMES)),
    amount: `${way === 'issued' ? '-' : ''}${amount(random)}`,
    saldo_contable: random.maybe(amount(random)),
    tipo: way === 'issued' ? 'C' : 'A',
    direction: way,
    ordinal: n,
  };
};

const statementMovement = (random: Random, period: string, n: number): Row => ({
  ...movement(random, period, n),
  currency: random.maybe('CLP'),
  documento: random.maybe(String(random.int(1, 50))),
  provisional: false,
});

const balance = (random: Random, period: string): Row => ({
  numero_cuenta: random.pick(['001230045607', '501.23/8 19#ñ', '0']),
  currency: random.pick(['CLP', 'USD', 'CLF']),
  observed_at: instant(random, period),
  saldo_contable: random.maybe(amount(random)),
  saldo_disponible: random.maybe(`-${amount(random)}`),
});

const amounts = (random: Random): Row => ({
  net_amount: random.maybe(amount(random)),
  exempt_amount: '0',
  vat_amount: random.maybe('190'),
  total_amount: random.maybe(amount(random)),
});

/** Scope → the `n`th row of a period. Rows may repeat: the last one counts, as in a sync. */
export const ROW_MAKERS: Record<string, (random: Random, period: string, n: number) => Row> = {
  'tax.rcv': (random, period, n) => ({
    period,
    direction: direction(random),
    document_type: random.pick(['33', '34', '61', '46']),
    folio: String(n),
    issuer_rut: random.pick(RUTS),
    issuer_name: random.maybe(random.pick(NAMES)),
    receiver_rut: '70000002-8',
    receiver_name: null,
    issued_at: random.maybe(day(random, period)),
    received_at: random.maybe(instant(random, period)),
    ...amounts(random),
    currency: 'CLP',
    status: null,
    estado: random.pick(['registro', 'pendiente', 'no_incluir', 'reclamado']),
    referenced_document_type: null,
    referenced_folio: null,
    source_document_id: random.maybe(String(n)),
    acknowledged_at: null,
    claimed_at: null,
    transaction_type: random.maybe('Del Giro'),
  }),
  'tax.boletas': (random, period) => ({
    period,
    document_type: random.pick(['39', '41']),
    day: random.int(1, 30),
    total_documentos: random.maybe(random.int(0, 90)),
    ...amounts(random),
    channel: null,
  }),
  'tax.guias': (random, period, n) => ({
    period,
    direction: direction(random),
    folio: random.maybe(String(n * 7)),
    issued_at: random.maybe(day(random, period)),
    counterparty_rut: random.maybe(random.pick(RUTS)),
    counterparty_name: random.maybe(random.pick(NAMES)),
    status: random.maybe('Acuse Recibo'),
    source_guide_id: random.maybe(String(910_000_000 + n)),
    document_type: '52',
    ...amounts(random),
    vat_rate: '19.0',
    received_at: random.maybe(day(random, period)),
    event_order: '5',
    event_description: null,
    dhdr_codigo: random.maybe(String(910_000_000 + n)),
  }),
  'procurement.licitaciones': (random, period, n) => ({
    codigo: `${n}-1-LE26`,
    nombre: random.pick(NAMES),
    organismo_razon_social: random.maybe(random.pick(NAMES)),
    estado: random.maybe(random.pick(TENDER_STATES)),
    fecha_publicacion: random.maybe(instant(random, period)),
    monto_estimado: random.maybe(amount(random)),
  }),
  'bankone.transfers': (random, period, n) => ({
    period,
    direction: direction(random),
    transferred_at: random.maybe(instant(random, period)),
    amount: amount(random),
    numero_transaccion: `2503${n}`,
    currency: 'CLP',
    subject: random.maybe('Factura 991'),
    counterparty_rut: random.maybe(random.pick(RUTS)),
    counterparty_name: random.maybe(random.pick(NAMES)),
    counterparty_bank: random.maybe('BANCO DOS'),
  }),
  'bankone.balances': (random, period) => ({ ...balance(random, period), saldo_provisorio: null }),
  'bankone.movements': statementMovement,
  'bankone.nominas': (random, period, n) => ({
    period,
    numero_nomina: String(300_000 + n),
    nomina_date: random.maybe(day(random, period)),
    tipo: 'REMUNERACIONES',
    cuenta_cargo: '001230045607',
    estado: random.pick(['PROCESADA', 'POR_AUTORIZAR']),
    num_registros: 1,
    monto: amount(random),
    currency: 'CLP',
    pagos: [],
  }),
  'banktwo.movements': (random, period, n) => ({
    ...movement(random, period, n),
    fecha_contable: `${period}-17`,
    mnemonico: random.maybe('TEFR'),
    category: random.maybe('TRANSFERENCIA'),
    counterparty_name: random.maybe(random.pick(NAMES)),
    counterparty_rut: random.maybe(random.pick(RUTS)),
    counterparty_bank: null,
    counterparty_account: null,
    movement_number: String(n),
  }),
  'banktwo.balances': (random, period) => ({
    ...balance(random, period),
    saldo_contable_9am: null,
    retencion: random.maybe('0'),
  }),
  'bankthree.movements': statementMovement,
  'bankthree.balances': balance,
};

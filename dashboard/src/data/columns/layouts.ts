/**
 * The columns of each scope's table, in the order in which an accountant reads: date, document, other party, amounts. A
 * name with `@` is made of several fields. All other fields are in the detail of a row.
 */

/** Columns that follow the first three columns on a phone, where only four columns are in view. */
export const PHONE_FIRST: ReadonlySet<string> = new Set(['total_amount', 'amount', 'monto', 'saldo_contable']);
export const PHONE_POSITION = 3;

const MOVEMENTS = [
  'fecha_movimiento',
  'descripcion',
  'numero_cuenta',
  'amount',
  'saldo_contable',
  'tipo',
  'documento',
  '@counterparty',
  'counterparty_bank',
  'category',
];
const BALANCES = [
  'observed_at',
  'numero_cuenta',
  'saldo_contable',
  'saldo_disponible',
  'saldo_provisorio',
  'saldo_contable_9am',
  'retencion',
];

export const LAYOUTS: Readonly<Record<string, readonly string[]>> = {
  'tax.rcv': [
    'issued_at',
    '@document',
    '@counterparty',
    'net_amount',
    'exempt_amount',
    'vat_amount',
    'total_amount',
    'direction',
    'estado',
    'period',
    'status',
  ],
  'tax.boletas': [
    '@date',
    'document_type',
    'total_documentos',
    'net_amount',
    'exempt_amount',
    'vat_amount',
    'total_amount',
    'channel',
  ],
  'tax.guias': ['issued_at', 'folio', '@counterparty', 'vat_amount', 'total_amount', 'direction', 'status'],
  'bankone.transfers': [
    'transferred_at',
    '@counterparty',
    'direction',
    'amount',
    'subject',
    'counterparty_bank',
    'numero_transaccion',
  ],
  'bankone.movements': MOVEMENTS,
  'banktwo.movements': MOVEMENTS,
  'bankthree.movements': MOVEMENTS,
  'bankone.balances': BALANCES,
  'banktwo.balances': BALANCES,
  'bankthree.balances': BALANCES,
  'bankone.nominas': ['nomina_date', 'numero_nomina', 'tipo', 'monto', 'num_registros', 'estado', 'cuenta_cargo'],
  'procurement.licitaciones': [
    'fecha_cierre',
    '@tender',
    '@organismo',
    'monto_estimado',
    'estado',
    'tipo_licitacion',
    'region',
  ],
  'procurement.ofertas': ['@oferente', 'nombre_oferta', 'total_oferta', 'estado', 'habil_chileproveedores'],
  'procurement.preguntas': ['numero', 'pregunta', 'respuesta', 'fecha_pregunta'],
  'procurement.documentos': ['nombre', 'tipo', 'descripcion', 'fecha_adjunto', 'tamano', 'origen'],
};

/** Column → field on its second line, by scope: as columns of their own these fields would not fit at 1,440 px. */
export const SECOND_LINES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'tax.rcv': { issued_at: 'period', estado: 'status' },
};

/** Fields that `@` columns replace, and fields that repeat another field of the row, by scope or by field. */
export const HIDDEN: Readonly<Record<string, readonly string[]>> = {
  '@counterparty': [
    'issuer_rut',
    'issuer_name',
    'receiver_rut',
    'receiver_name',
    'counterparty_rut',
    'counterparty_name',
  ],
  '@date': ['day', 'date'],
  '@organismo': ['organismo_razon_social', 'organismo_rut'],
  '@oferente': ['proveedor_razon_social', 'oferente_rut'],
  '@tender': ['nombre', 'codigo'],
  '@document': ['document_type', 'folio'],
  // A charge is always issued and a credit always received.
  tipo: ['direction'],
};

import { choiceWord } from '../data/words.ts';
import { defineTexts } from '../text/define-texts.ts';

/** Texts of a connection's coverage: months, states, totals, and the names of groups and figures. */
export const coverageTexts = defineTexts(
  'coverage',
  {
    action: 'Ver cobertura',
    matrix: 'Ver como tabla de meses',
    title: 'Cobertura de {{name}}',
    intro:
      'Qué meses están guardados, cuándo se leyeron y si las filas suman lo que la propia institución informa en total.',
    'scope.success': 'Última sincronización completa',
    'scope.attempt': 'Último intento',
    'scope.never': 'Todavía no se ha sincronizado.',
    'scope.tenders': 'Se sincroniza por licitación, no por mes.',
    'scope.none': 'Ningún intento llegó a leer un período.',
    table: 'Meses de {{scope}}',
    period: 'Período',
    'period.none': 'Todo',
    rows: 'Filas',
    state: 'Estado',
    'state.open': 'Abierto',
    'state.complete': 'Completo',
    'state.partial': 'Incompleto',
    'state.never': 'Nunca leído',
    unasked: 'Nunca se han pedido: {{months}}.',
    'unasked.range': '{{first}} a {{last}}',
    'unasked.link': 'Pedirlos en la página de meses',
    as_of: 'Leído el',
    verdict: 'Totales',
    'verdict.equal': 'Cuadra',
    'verdict.differs': 'No cuadra',
    'verdict.not_told': 'No informados',
    figures: 'Ver cifras',
    'figures.of': 'Ver cifras de {{period}}',
    difference: '{{group}}: {{figure}} {{institution}} según la institución, {{ours}} guardado ({{difference}}).',
    'detail.title': 'Totales de {{period}}: {{scope}}',
    'detail.empty': 'La institución no informa totales de este período.',
    'detail.nothing': 'La institución informa que no hay nada en este período, y no hay nada guardado.',
    'figures.table': 'Cifras de {{scope}}, {{period}}',
    'figures.type': 'Tipo',
    'figures.verdict': 'Totales: {{verdict}}',
    'figures.sum': 'Total {{group}}',
    'figures.credit-notes': 'Las notas de crédito restan.',
    'figures.difference': 'Diferencia {{difference}}',
    'figures.currency':
      'No sabemos la moneda de algunas filas: sus montos están en la moneda de la cuenta o de la nómina.',
    'detail.institution': 'Institución',
    'detail.ours': 'Guardado',
    'detail.more_one': 'Hay {{number}} grupo más, que no se muestra. Por eso la tabla no tiene totales.',
    'detail.more_many': 'Hay {{number}} grupos más, que no se muestran. Por eso la tabla no tiene totales.',
    'detail.more_other': 'Hay {{number}} grupos más, que no se muestran. Por eso la tabla no tiene totales.',
    gone_one: '{{number}} fila guardada que la institución ya no muestra.',
    gone_many: '{{number}} filas guardadas que la institución ya no muestra.',
    gone_other: '{{number}} filas guardadas que la institución ya no muestra.',
    'group.whole': 'Todo el mes',
    'group.no-type': 'Sin tipo',
    'group.numero_cuenta': 'Cuenta',
    'group.numero_nomina': 'Nómina',
    'value.received': 'recibidos',
    'value.issued': 'emitidos',
    'value.registro': 'registro',
    'value.pendiente': 'pendiente',
    'value.no_incluir': 'no incluir',
    'value.reclamado': 'reclamado',
    'value.days': 'la lista por día',
    'value.register': 'el registro de ventas',
    'figure.rows': 'Filas',
    'figure.net_amount': 'Monto neto',
    'figure.vat_amount': 'IVA',
    'figure.exempt_amount': 'Monto exento',
    'figure.total_amount': 'Monto total',
    'figure.total_documentos': 'Documentos',
    'figure.opening': 'Saldo inicial',
    'figure.closing': 'Saldo final',
    'figure.balance': 'Saldo entre movimientos',
    'figure.charges': 'Cargos',
    'figure.credits': 'Abonos',
    'figure.num_registros': 'Pagos',
    'figure.monto': 'Monto',
  },
  {
    action: 'See coverage',
    matrix: 'See as a table of months',
    title: 'Coverage of {{name}}',
    intro: 'Which months are stored, when they were read, and whether their rows come to the institution’s own totals.',
    'scope.success': 'Last complete sync',
    'scope.attempt': 'Last attempt',
    'scope.never': 'Not synchronized yet.',
    'scope.tenders': 'Synchronized by tender, not by month.',
    'scope.none': 'No attempt has read a period yet.',
    table: 'Months of {{scope}}',
    period: 'Period',
    'period.none': 'All',
    rows: 'Rows',
    state: 'Status',
    'state.open': 'Open',
    'state.complete': 'Complete',
    'state.partial': 'Partial',
    'state.never': 'Never read',
    unasked: 'Never requested: {{months}}.',
    'unasked.range': '{{first}} to {{last}}',
    'unasked.link': 'Request them on the page of months',
    as_of: 'Read on',
    verdict: 'Totals',
    'verdict.equal': 'Equal',
    'verdict.differs': 'Differs',
    'verdict.not_told': 'Not reported',
    figures: 'See figures',
    'figures.of': 'See figures of {{period}}',
    difference: '{{group}}: {{figure}} {{institution}} by the institution, {{ours}} stored ({{difference}}).',
    'detail.title': 'Totals of {{period}}: {{scope}}',
    'detail.empty': 'The institution reports no totals for this period.',
    'detail.nothing': 'The institution reports that there is nothing in this period, and nothing is stored.',
    'figures.table': 'Figures of {{scope}}, {{period}}',
    'figures.type': 'Type',
    'figures.verdict': 'Totals: {{verdict}}',
    'figures.sum': 'Total {{group}}',
    'figures.credit-notes': 'Credit notes are subtracted.',
    'figures.difference': 'Difference {{difference}}',
    'figures.currency':
      'The currency of some rows is unknown: their amounts are in the currency of the account or of the batch.',
    'detail.institution': 'Institution',
    'detail.ours': 'Stored',
    'detail.more_one': 'There is {{number}} more group, which is not shown. So the table has no totals.',
    'detail.more_many': 'There are {{number}} more groups, which are not shown. So the table has no totals.',
    'detail.more_other': 'There are {{number}} more groups, which are not shown. So the table has no totals.',
    gone_one: '{{number}} stored row that the institution no longer shows.',
    gone_many: '{{number}} stored rows that the institution no longer shows.',
    gone_other: '{{number}} stored rows that the institution no longer shows.',
    'group.whole': 'The whole month',
    'group.no-type': 'No type',
    'group.numero_cuenta': 'Account',
    'group.numero_nomina': 'Payment batch',
    'value.received': 'received',
    'value.issued': 'issued',
    'value.registro': 'registered',
    'value.pendiente': 'pending',
    'value.no_incluir': 'not to be included',
    'value.reclamado': 'claimed',
    'value.days': 'the list by day',
    'value.register': 'the register of sales',
    'figure.rows': 'Rows',
    'figure.net_amount': 'Net amount',
    'figure.vat_amount': 'VAT',
    'figure.exempt_amount': 'Exempt amount',
    'figure.total_amount': 'Total amount',
    'figure.total_documentos': 'Documents',
    'figure.opening': 'Opening balance',
    'figure.closing': 'Closing balance',
    'figure.balance': 'Balance between movements',
    'figure.charges': 'Charges',
    'figure.credits': 'Credits',
    'figure.num_registros': 'Payments',
    'figure.monto': 'Amount',
  },
);

type CoverageTextKey = Parameters<typeof coverageTexts.say>[0];
const wordOf = (key: string, otherwise: string): string =>
  Object.hasOwn(coverageTexts.es, key) ? coverageTexts.say(key as CoverageTextKey) : otherwise;

export const figureWord = (figure: string): string => wordOf(`figure.${figure}`, figure);

const valueWord = (name: string, value: string): string =>
  name === 'document_type' ? choiceWord(name, value) : wordOf(`value.${value}`, value);

/** Returns the document type of a group, such as "33 Factura electrónica". */
export const typeWords = ({ document_type: type = '' }: Readonly<Record<string, string>>): string =>
  type === '' ? coverageTexts.say('group.no-type') : valueWord('document_type', type);

/** Names whose values say enough without the name. */
const SELF_EVIDENT: ReadonlySet<string> = new Set(['direction', 'estado', 'document_type', 'told_by']);

/**
 * Returns a group in few words, such as "recibidos · registro · 33 Factura electrónica". Names and values that have no
 * text here stay as the API sends them.
 */
export const shortGroupWords = (group: Readonly<Record<string, string>>): string => {
  const words = Object.entries(group).map(([name, value]) =>
    SELF_EVIDENT.has(name) ? valueWord(name, value) : `${wordOf(`group.${name}`, name)} ${value}`,
  );
  return words.length === 0 ? coverageTexts.say('group.whole') : words.filter(Boolean).join(' · ');
};

/** Columns of single fields: their kinds, and the words of their values. */
import { common } from '../../text/common-texts.ts';
import { PESO } from '../../text/format.ts';
import { rutWithDots } from '../../text/rut.ts';
import type { Field, Resource, Row } from '../resource.ts';
import { choiceWord, currencyWord, fieldWord } from '../words.ts';
import type { Column, ColumnKind } from './column.ts';

/** The part of a scope's description that its columns need. */
export type ColumnSource = Pick<Resource, 'source' | 'scope' | 'fields'>;

/** Decimals that are no amounts. */
const NO_MONEY: ReadonlySet<string> = new Set(['tamano', 'vat_rate']);
const RUT = /(?:^|_)rut$/;
const CODES: ReadonlySet<string> = new Set([
  'folio',
  'referenced_folio',
  'numero_cuenta',
  'cuenta_cargo',
  'counterparty_account',
  'numero_transaccion',
  'numero_nomina',
  'documento',
  'numero',
]);
/** Fields whose codes have words, although the schema does not list the codes. */
const WORDED = /(?:^|_)document_type$|^(?:estado|tipo|tipo_cuenta|tipo_licitacion)$/;
const CURRENCIES: ReadonlySet<string> = new Set(['currency', 'moneda']);

const kindOf = ({ name, kind }: Field): ColumnKind => {
  if (CODES.has(name)) return 'code';
  if (kind === 'decimal') return NO_MONEY.has(name) ? 'decimal' : 'money';
  if (kind === 'period') return 'month';
  return kind === 'day' || kind === 'instant' || kind === 'integer' ? kind : 'text';
};

const wordedText = ({ scope }: ColumnSource, { name, kind }: Field, text: string): string => {
  if (CURRENCIES.has(name)) return currencyWord(text);
  if (RUT.test(name)) return rutWithDots(text);
  return kind === 'choice' || WORDED.test(name) ? choiceWord(name, text, scope) : text;
};

const fieldValue = (source: ColumnSource, field: Field, value: unknown): string | number | null => {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return common.say(value ? 'yes' : 'no');
  if (typeof value === 'number') return value;
  return typeof value === 'object' ? JSON.stringify(value) : wordedText(source, field, String(value));
};

/**
 * Returns the function that reads the currency of a row's amounts. Rows without a currency and without an account are in
 * pesos, such as totals of the tax authority.
 */
export const currencyReader = ({ fields }: ColumnSource): ((row: Row) => string | null) => {
  const field = fields.find(({ name }) => CURRENCIES.has(name));
  if (field === undefined) return () => PESO;
  return (row) => {
    const value = row[field.name];
    if (value === undefined && row.numero_cuenta === undefined) return PESO;
    return typeof value === 'string' && value !== '' ? currencyWord(value) : null;
  };
};

export const fieldColumn = (source: ColumnSource, field: Field): Column => {
  const kind = kindOf(field);
  return {
    name: field.name,
    head: fieldWord(field.name),
    kind,
    read: (row) => fieldValue(source, field, row[field.name]),
    ...(kind === 'money' ? { readCurrency: currencyReader(source) } : {}),
  };
};

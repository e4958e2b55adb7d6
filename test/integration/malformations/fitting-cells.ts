/** Lists that are shorter than they should be, with every count, sum and balance of the answer adjusted. */
import { Big } from 'big.js';
import type { Json, JsonObject } from '#shared/sources/source.ts';
import { type Cell, everywhere, once } from './cells.ts';
import { isObject, type List, onRows } from './json-edit.ts';
import type { WireAnswer } from './wire.ts';

/** Visits every object of the answer, and every key of it. */
const eachValue = (value: Json, visit: (holder: JsonObject, key: string) => void): void => {
  if (Array.isArray(value)) for (const item of value) eachValue(item, visit);
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) {
    visit(value, key);
    eachValue(value[key]!, visit);
  }
};

const NUMBER = /^-?\d{1,15}(?:\.\d+)?$/;
const numberIn = (value: Json | undefined): Big | undefined =>
  (typeof value === 'number' || typeof value === 'string') && NUMBER.test(String(value)) ? Big(value) : undefined;

const sumOf = (rows: readonly Json[], field: string): Big | undefined => {
  const values = rows.map((row) => numberIn(isObject(row) ? row[field] : undefined));
  return values.reduce((sum, value) => sum && value && sum.plus(value), Big(0));
};

const fieldsOf = (row: Json | undefined): string[] => (isObject(row) ? Object.keys(row) : []);

const written = (value: Big, before: Json): Json => (typeof before === 'number' ? value.toNumber() : value.toFixed());

/** The adjusted value of a figure outside the list: a count, the sum of a field, or a value of the last row. */
const fitted = (value: Json, before: readonly Json[], after: readonly Json[]): Json | undefined => {
  const told = numberIn(value);
  if (told?.eq(before.length)) return written(Big(after.length), value);
  const summed = told && fieldsOf(before[0]).find((field) => sumOf(before, field)?.eq(told));
  if (told && !told.eq(0) && summed) return written(sumOf(after, summed)!, value);
  const [last, now] = [before.at(-1), after.at(-1)];
  if (typeof value !== 'string' || value.length < 6 || !isObject(last) || !isObject(now)) return undefined;
  const end = Object.keys(last).find((field) => last[field] === value);
  return end === undefined ? undefined : now[end];
};

/** Newest first: the opening balance becomes the balance before the oldest remaining row. */
const openLater = ({ rows, holder }: List, after: readonly Json[]): void => {
  const next = rows[after.length];
  if (!holder || !('saldoInicial' in holder) || !isObject(next) || next.saldoMovimiento === undefined) return;
  if (after.length > 0) holder.saldoInicial = next.saldoMovimiento;
};

const makeFit = (list: List, after: Json[]): void => {
  const inside = new Set(list.rows.filter(isObject));
  eachValue(list.root, (holder, key) => {
    if (inside.has(holder)) return;
    const value = fitted(holder[key]!, list.rows, after);
    if (value !== undefined) holder[key] = value;
  });
  openLater(list, after);
};

/**
 * Answers as institutions do for an empty list. Figures outside the list stay, so they count the rows that were left
 * out.
 */
const sayNothing = ({ rows, root }: List): void => {
  if (!isObject(root)) return;
  if (isObject(root.respEstado)) root.respEstado.codRespuesta = 'dataResp' in root ? 2 : 3;
  if ('numeroCuenta' in root || 'rutEmpresa' in root) root.codigo = 'SIN_DATOS';
  eachValue(root, (holder, key) => {
    if (/total|cantidad|registros|recover/i.test(key) && holder[key] === rows.length) holder[key] = 0;
  });
};

export const fittingCells = (path: string, name: string, answers: readonly WireAnswer[]): Cell[] => {
  const half = onRows(path, (rows) => rows.slice(0, Math.ceil(rows.length / 2)), makeFit);
  const none = onRows(path, () => [], sayNothing);
  return [
    ...once(`half of the rows, and counts that fit ${name}`, answers, half),
    ...everywhere(`half of the rows everywhere, and counts that fit ${name}`, answers, half),
    ...once(`nothing, and it says so ${name}`, answers, none),
    ...everywhere(`nothing everywhere, and it says so ${name}`, answers, none),
  ];
};

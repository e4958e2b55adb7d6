/** Reads the shape of a body: JSON, a page, lines with columns, or the kind of another file. Pure. */
import { parse as parseLines } from 'csv-parse/sync';
import { decodeText } from '#shared/sources/http/charset.ts';
import { looksLikePage, parseJson } from '#shared/sources/parsing/bodies.ts';
import { wholeKind } from '#shared/sources/truth/file-kinds.ts';
import { addPage } from './page-shape.ts';
import { addField, addObject, type BodyShape, newShape } from './shape.ts';
import { type KnownNames, nameOrKind } from './value-kinds.ts';

export type KnownCodes = Readonly<Record<string, ReadonlySet<string>>>;

/** What a report may show: codes of closed lists, and words of names. */
export interface Showable {
  codes: KnownCodes;
  names: KnownNames | null;
}

const addJson = (shape: BodyShape, path: string, value: unknown, showable: Showable): void => {
  if (Array.isArray(value)) {
    addField(shape, `${path}.length`, value.length === 0 ? '' : value.length);
    for (const item of value) addJson(shape, `${path}[]`, item, showable);
  } else if (typeof value === 'object' && value !== null) {
    addObject(shape, path);
    for (const [key, item] of Object.entries(value))
      addJson(shape, `${path}.${nameOrKind(key, showable.names)}`, item, showable);
  } else addField(shape, path, value, showable.codes);
};

/** Signs of a page that comes instead of data, in its addresses. */
const ADDRESS_SIGNS: Signs = [
  ['robot check', /recaptcha\/enterprise\.js|ViewAttachment\.aspx\?ajax=1|robot\.png|captcha/i],
  ['password field', /<input[^>]+type=["']?password/i],
];
/** The same, in the words of a page without a form or a grid. Words next to these are data. */
const WORD_SIGNS: Signs = [
  ['access denied', /acceso denegado|access denied/i],
  ['maintenance', /mantenci[oó]n|mantenimiento|fuera de servicio/i],
  ['waiting room', /queue-it|sala de espera/i],
];
type Signs = readonly (readonly [sign: string, pattern: RegExp])[];

const findSigns = (signs: Signs, text: string): string[] =>
  signs.flatMap(([sign, pattern]) => (pattern.test(text) ? [sign] : []));

const SEPARATORS = [';', '\t', ','] as const;
const COLUMNS_MIN = 3;

/** True for a line of at least three cells that are all names or blank. */
const isHead = (cells: readonly string[], names: KnownNames | null): boolean => {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return filled.length >= COLUMNS_MIN && filled.every((cell) => !nameOrKind(cell, names).startsWith('{'));
};

/** Returns the lines after the line of names, with these names. Undefined for a file of another form. */
const readColumns = (text: string, names: KnownNames | null): { columns: string[]; lines: string[][] } | undefined => {
  for (const delimiter of SEPARATORS) {
    const options = { delimiter, quote: false, relax_column_count: true, bom: true, skip_empty_lines: true };
    // A quote may be anywhere in a line, so it is removed and not interpreted.
    const lines = parseLines(text.replaceAll('"', ''), options);
    const head = lines.findIndex((cells) => isHead(cells, names));
    const columns = lines[head]?.map((cell) => nameOrKind(cell.trim() || 'unnamed', names));
    if (columns) return { columns, lines: lines.slice(head + 1) };
  }
  return undefined;
};

/** Adds columns by the line that names them. If no line does, adds how long the lines are. */
const addLines = (shape: BodyShape, text: string, names: KnownNames | null): void => {
  const read = readColumns(text, names);
  for (const cells of read?.lines ?? []) {
    addObject(shape, 'line');
    for (const [at, cell] of cells.entries())
      addField(shape, `line.${read?.columns[at] ?? 'further column'}`, cell.trim());
  }
  if (read) return;
  for (const line of text.split(/\r?\n/)) if (line !== '') addObject(shape, `line of ${line.length} characters`);
};

const isText = (body: Uint8Array): boolean => !body.subarray(0, 1_000).includes(0);

export const readShape = (body: Uint8Array, showable: Showable): BodyShape => {
  if (body.length === 0) return newShape('nothing');
  const kind = wholeKind(body);
  if (kind !== undefined) return newShape(kind);
  if (!isText(body)) return newShape('bytes');
  const text = decodeText(body);
  const json = parseJson(text);
  const shape = newShape(json !== undefined ? 'JSON' : looksLikePage(body) ? 'page' : 'lines');
  if (shape.kind === 'JSON') addJson(shape, '', json, showable);
  else {
    if (shape.kind === 'page') addPage(shape, text, showable.names);
    else addLines(shape, text, showable.names);
    const hasData = Object.keys(shape.objects).length > 0;
    shape.signs = [...findSigns(ADDRESS_SIGNS, text), ...(hasData ? [] : findSigns(WORD_SIGNS, text))];
  }
  return shape;
};

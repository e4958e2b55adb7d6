/**
 * Answers of the tax register that public sources describe, with the values that must be served. A case replaces the
 * sandbox's answers of one month.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { JsonObject } from '#shared/sources/source.ts';
import type { Lie } from '#test/fakes/lying-wire.ts';

const FOLDER = new URL('../fixtures/public-cases/', import.meta.url);

/** One book, such as `COMPRA/REGISTRO`: its totals, and for each document type the details and the file. */
interface Book {
  sum: JsonObject[];
  det: Record<string, JsonObject[]>;
  csv?: Record<string, { b64: string }>;
}

export interface TaxCase {
  id: string;
  title: string;
  /** AAAAMM */
  month: string;
  expected: { status: string; notices: string[]; rows: JsonObject[] };
  /** A text if the answers have too many rows for a file; then `GENERATED` makes them. */
  answers: { books: Record<string, Book> } | string;
}

export const taxCases = (): TaxCase[] =>
  readdirSync(FOLDER)
    .filter((name) => /^T\d+\.json$/.test(name))
    .map((name) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as TaxCase);

const readCase = (id: string): TaxCase => JSON.parse(readFileSync(new URL(`${id}.json`, FOLDER), 'utf8')) as TaxCase;

/** The invoice of another case under 251 folios, one of them dated after the month. */
const postDatedInvoices = (): Record<string, Book> => {
  const { books } = booksOf(readCase('T02'));
  const { sum, det } = books['COMPRA/REGISTRO'] as Book;
  const [total] = sum;
  const [invoice] = det['33'] ?? [];
  const folios = [...Array.from({ length: 250 }, (_, at) => 1_000 + at), 5_000];
  const dates = { detFchDoc: '15/09/2026', detFecRecepcion: '16/09/2026 10:00:00' };
  const late = { detFchDoc: '01/10/2026', detFecRecepcion: '30/09/2026 23:10:00' };
  const rows = folios.map((detNroDoc) => ({ ...invoice, ...(detNroDoc === 5_000 ? late : dates), detNroDoc }));
  const scaled = Object.fromEntries(
    ['rsmnMntExe', 'rsmnMntNeto', 'rsmnMntIVA', 'rsmnMntTotal', 'rsmnTotDoc'].map((key) => [
      key,
      Number(total?.[key]) * folios.length,
    ]),
  );
  return { 'COMPRA/REGISTRO': { sum: [{ ...total, ...scaled }], det: { '33': rows } } };
};

const GENERATED: Readonly<Record<string, () => Record<string, Book>>> = { T51: postDatedInvoices };

const booksOf = ({ id, answers }: TaxCase): { books: Record<string, Book> } => {
  if (typeof answers !== 'string') return answers;
  const generate = GENERATED[id];
  if (!generate) throw new Error(`nothing generates the answers of ${id}`);
  return { books: generate() };
};

/** Replaces the answers of the case's month. The sandbox must have no documents in that month. */
export const lieOfCase = (shown: TaxCase): Lie => {
  const { books } = booksOf(shown);
  const [file] = Object.values(books).flatMap(({ csv = {} }) => Object.values(csv));
  return (path, asked, { status, body }) => {
    const method = /\/facadeService\/(\w+)/.exec(path)?.[1];
    if (method === 'obtenerArchivoBLOB' && file)
      return { status, body: Buffer.from(file.b64, 'base64').toString('latin1') };
    if (method !== 'getResumen' && !method?.startsWith('getDetalle')) return undefined;
    const { data } = JSON.parse(asked) as { data: JsonObject };
    if (data.ptributario !== shown.month) return undefined;
    const operation = method === 'getDetalleVenta' ? 'VENTA' : data.operacion;
    const book = books[`${operation}/${data.estadoContab}`];
    if (book === undefined) return undefined;
    const rows = method === 'getResumen' ? book.sum : (book.det[String(data.codTipoDoc)] ?? []);
    const respEstado = { codRespuesta: 0, msgeRespuesta: null, codError: null };
    return {
      status,
      body: Buffer.from(JSON.stringify({ ...JSON.parse(body), data: rows, respEstado })).toString('latin1'),
    };
  };
};

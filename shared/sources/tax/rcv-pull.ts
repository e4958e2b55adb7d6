/**
 * Everything of the register for one month: five books, each its totals and then one detail per document type.
 * Every step is decided by kept answers alone, so that a run that died goes on where it stopped.
 */
import { type Ask, type Progress, reading, SourceError, type SourceIo } from '../source.ts';
import type { DataAnswer, RegisterClient } from './client.ts';
import { isOutOfWindow, jsonOf } from './kept.ts';
import { fetchFile } from './rcv-file.ts';
import { fileText } from './rcv-file-text.ts';
import { countDocuments } from './rcv-parse-csv.ts';
import { askSummary, type Book, keptRequest, type Month, SALES, scopeOf } from './rcv-request.ts';
import { dataRows, readSummary, type TypeTotal } from './rcv-summary.ts';
import { RECAPTCHA_ACTION, RECAPTCHA_TOKEN } from './wire.ts';

export interface Register extends Month {
  /** RUT of the person logged in. */
  user: string;
}

/** Purchases in four states, the register last: a document seen in two of them ends where it went (decisions.md §5). */
const BOOKS: readonly Book[] = [
  ...['PENDIENTE', 'NO_INCLUIR', 'RECLAMADO', 'REGISTRO'].map(
    (estado): Book => ({ operation: 'COMPRA', estado, key: `purchases/${estado}` }),
  ),
  SALES,
];

const DETAIL = { COMPRA: 'getDetalleCompra', VENTA: 'getDetalleVenta' } as const;

export const pullRegister = async (
  register: Register,
  client: RegisterClient,
  ask: Ask,
  io: SourceIo,
  progress: Progress,
): Promise<void> => {
  let found = 0;
  let read = 0;
  const tell = () => progress(`rcv ${register.period}: ${inWords(read)} of ${inWords(found)} documents`);
  for (const book of BOOKS) {
    const { key, fetch } = summaryOf(register, book, client);
    const summary = jsonOf(await ask(key, fetch));
    // The month lies before the register began, for every book: nothing further to ask (tax.md §3.4, code 99).
    if (isOutOfWindow(summary)) return;
    const totals = readSummary(summary, key).filter((total) => total.hasDetail && total.documents > 0);
    found += totals.reduce((sum, total) => sum + total.documents, 0);
    if (found > 0) tell();
    for (const total of totals) {
      await readType(register, book, total, client, ask, io);
      read += total.documents;
      tell();
    }
  }
};

const inWords = (count: number): string => count.toLocaleString('en-US');

const summaryOf = (register: Register, book: Book, client: RegisterClient) => ({
  key: `${book.key}/summary`,
  fetch: async () => {
    const { http } = await askSummary(register, book, client);
    return { request: keptRequest(register, book, 'getResumen', null), contentType: http.contentType, body: http.body };
  },
});

/** Directly; on a shortfall by file. Fewer documents than the totals say are never kept, let alone reported (§4.4). */
const readType = async (
  register: Register,
  book: Book,
  total: TypeTotal,
  client: RegisterClient,
  ask: Ask,
  io: SourceIo,
): Promise<void> => {
  const { type } = total;
  const method = DETAIL[book.operation];
  const key = `${book.key}/${type}`;
  const direct = await ask(key, async () => {
    const { http } = await askDetail(register, book, total, client);
    return { request: keptRequest(register, book, method, type), contentType: http.contentType, body: http.body };
  });
  if (dataRows(jsonOf(direct), key).length >= total.documents) return;
  await ask(`${key}/file`, async () => {
    const file = await fetchFile({ ...register, operation: book.operation, estado: book.estado, type }, client, io);
    const request = keptRequest(register, book, 'obtenerArchivoBLOB', type);
    const answer = { request, contentType: file.contentType, body: file.body };
    await reading(answer, () =>
      checkComplete(register, book, total, countDocuments(fileText(file.body, key), `${key}/file`), client),
    );
    return answer;
  });
};

const askDetail = async (
  register: Register,
  book: Book,
  { type, documents }: TypeTotal,
  client: RegisterClient,
): Promise<DataAnswer> => {
  const method = DETAIL[book.operation];
  const data = {
    ...scopeOf(register, book),
    codTipoDoc: type,
    accionRecaptcha: RECAPTCHA_ACTION[book.operation].detail,
    tokenRecaptcha: RECAPTCHA_TOKEN,
  };
  if (book.operation === 'COMPRA') return client.call(method, data);
  // The portal leaves `operacion` empty here; other clients send VENTA (tax.md §4.1). The second only if it is needed.
  const asPortal = await client.call(method, { ...data, operacion: '' });
  if (dataRows(asPortal.verdict.answer, method).length >= documents) return asPortal;
  const named = await client.call(method, data);
  const count = (answer: DataAnswer) => dataRows(answer.verdict.answer, method).length;
  return count(named) > count(asPortal) ? named : asPortal;
};

/**
 * Documents move between books while we read: a file shorter than the totals of minutes ago is measured against the
 * totals of now. Thrown before the file is kept, so that the next try asks for a new one.
 */
const checkComplete = async (
  register: Register,
  book: Book,
  total: TypeTotal,
  documents: number,
  client: RegisterClient,
): Promise<void> => {
  if (documents >= total.documents) return;
  const summary = (await askSummary(register, book, client)).verdict.answer;
  const now = readSummary(summary, 'getResumen').find(({ type }) => type === total.type)?.documents ?? 0;
  if (documents >= now) return;
  throw new SourceError(
    'source.unexpected_response',
    `${book.key}/${total.type}: ${documents} documents came, the totals say ${now}`,
  );
};

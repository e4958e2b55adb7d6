/**
 * Everything of the register for one month: five books, each its totals and then one detail per document type.
 * Every step is decided by kept answers alone, so that a run that died goes on where it stopped.
 */
import type { HttpResponse } from '../http/client.ts';
import { type Ask, type JsonObject, type Progress, type RawAnswer, reading, type SourceIo } from '../source.ts';
import { watchKeys } from '../truth/watch-keys.ts';
import type { DataAnswer, RegisterClient } from './client.ts';
import { isOutOfWindow, jsonOf } from './kept.ts';
import { fetchFile } from './rcv-file.ts';
import { readDocuments } from './rcv-parse.ts';
import { documentsIn, readingOf, tallyRows } from './rcv-reading.ts';
import { askSummary, type Book, keptRequest, type Month, SALES, scopeOf } from './rcv-request.ts';
import { readSummary, type TypeTotal } from './rcv-summary.ts';
import { checkRegisterWindow } from './window.ts';
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
    const { key, fetch } = summaryOf(register, book, client, io.now);
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

const summaryOf = (register: Register, book: Book, client: RegisterClient, now: () => number) => ({
  key: `${book.key}/summary`,
  fetch: async () => {
    const { http, verdict } = await askSummary(register, book, client);
    const answer = rawOf(keptRequest(register, book, 'getResumen', null), http);
    await reading(answer, () => checkRegisterWindow(verdict, register.period, now()));
    return answer;
  },
});

/**
 * Directly; on a shortfall by file; and when the file is short, too, the totals once more, because documents move
 * between books while we read. Whether all that came is enough is judged where it is parsed.
 */
const readType = async (
  register: Register,
  book: Book,
  total: TypeTotal,
  client: RegisterClient,
  ask: Ask,
  io: SourceIo,
): Promise<void> => {
  const { type, documents } = total;
  const key = `${book.key}/${type}`;
  const direct = await ask(key, async () => {
    const { http } = await askDetail(register, book, total, client);
    return rawOf(keptRequest(register, book, DETAIL[book.operation], type), http);
  });
  if (countDocuments(register.company, direct) >= documents) return;
  const file = await ask(`${key}/file`, async () => {
    const http = await fetchFile({ ...register, operation: book.operation, estado: book.estado, type }, client, io);
    return rawOf(keptRequest(register, book, 'obtenerArchivoBLOB', type), http);
  });
  if (countDocuments(register.company, file) >= documents) return;
  await ask(`${key}/summary`, async () => {
    const { http } = await askSummary(register, book, client);
    return rawOf(keptRequest(register, book, 'getResumen', type), http);
  });
};

const rawOf = (request: JsonObject, { contentType, body }: HttpResponse) => ({ request, contentType, body });

/** Different documents in an answer, as the parser will find them. */
const countDocuments = (company: string, answer: RawAnswer): number => {
  const reading = readingOf(company, answer);
  const tally = tallyRows(reading, answer.key, watchKeys());
  for (const _ of readDocuments(answer, reading, tally));
  return documentsIn(tally);
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
  const count = ({ http }: DataAnswer) => {
    const answer = { key: `${book.key}/${type}`, ...rawOf(keptRequest(register, book, method, type), http) };
    return reading(answer, () => countDocuments(register.company, answer));
  };
  // The portal leaves `operacion` empty here; other clients send VENTA (tax.md §4.1). The second only if it is needed.
  const asPortal = await client.call(method, { ...data, operacion: '' });
  const shown = await count(asPortal);
  if (shown >= documents) return asPortal;
  const named = await client.call(method, data);
  return (await count(named)) > shown ? named : asPortal;
};

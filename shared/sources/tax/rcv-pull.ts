/**
 * Fetches the register of one month: five books, each with its totals and then one detail per document type. Stored
 * answers decide every step, so that another worker can resume after a worker died.
 */
import type { HttpResponse } from '../http/client.ts';
import { checkedAnswer, reading } from '../parsing/results.ts';
import type { PullContext, RawAnswer } from '../source.ts';
import { watchKeys } from '../truth/watch-keys.ts';
import type { DataAnswer, RegisterClient } from './client.ts';
import { countIn } from './detail-rows.ts';
import { isOutOfWindow, parseJsonAnswer } from './kept.ts';
import { fetchFile } from './rcv-file.ts';
import { readDocuments } from './rcv-parse.ts';
import { describeRegisterReading, tallyRows } from './rcv-reading.ts';
import { askSummary, buildBookScope, type CompanyMonth, keptRequest, type RegisterBook, SALES } from './rcv-request.ts';
import { readSummary, type TypeTotal } from './rcv-summary.ts';
import { checkRegisterWindow } from './window.ts';
import { RECAPTCHA_ACTION, RECAPTCHA_TOKEN } from './wire.ts';

export interface RegisterRequest extends CompanyMonth {
  /** RUT of the person who is logged in. */
  user: string;
}

/**
 * The five books: purchases in four states, the state REGISTRO last, and sales. A document that moves to a later state
 * during the run gets that state (decisions.md §5).
 */
const BOOKS: readonly RegisterBook[] = [
  ...['PENDIENTE', 'NO_INCLUIR', 'RECLAMADO', 'REGISTRO'].map(
    (estado): RegisterBook => ({ operation: 'COMPRA', estado, key: `purchases/${estado}` }),
  ),
  SALES,
];

const DETAIL = { COMPRA: 'getDetalleCompra', VENTA: 'getDetalleVenta' } as const;

/** Parameters of the requests of one book. */
interface BookPull extends Pick<PullContext, 'ask' | 'io'> {
  register: RegisterRequest;
  book: RegisterBook;
  client: RegisterClient;
}

export const pullRegister = async (
  register: RegisterRequest,
  client: RegisterClient,
  { ask, io, progress }: PullContext,
): Promise<void> => {
  let found = 0;
  let read = 0;
  const tell = () => progress(`rcv ${register.period}: ${inWords(read)} of ${inWords(found)} documents`);
  for (const book of BOOKS) {
    const pull: BookPull = { register, book, client, ask, io };
    const key = `${book.key}/summary`;
    const summary = parseJsonAnswer(await askTotals(key, pull));
    // The month is before the start of the register. This applies to every book, so the pull ends (tax.md §3.4, code
    // 99).
    if (isOutOfWindow(summary)) return;
    const totals = readSummary(summary, key).filter((total) => total.hasDetail && total.documents > 0);
    found += totals.reduce((sum, total) => sum + total.documents, 0);
    if (found > 0) tell();
    for (const total of totals) {
      await readType(total, pull);
      read += total.documents;
      tell();
    }
  }
};

const inWords = (count: number): string => count.toLocaleString('en-US');

const askTotals = (key: string, { register, book, client, ask, io }: BookPull): Promise<RawAnswer> =>
  ask(key, async () => {
    const { http, verdict } = await askSummary(register, book, client);
    return checkedAnswer(keptRequest(register, book, 'getResumen', null), http, () =>
      checkRegisterWindow(verdict, register.period, io.now()),
    );
  });

/**
 * Requests the detail directly, and then the file if documents are missing. If documents are also missing from the
 * file, requests the totals again, because documents may have moved between books; the parser decides whether the
 * result is complete.
 */
const readType = async (total: TypeTotal, pull: BookPull): Promise<void> => {
  const { register, book, client, ask, io } = pull;
  const { type, documents } = total;
  const key = `${book.key}/${type}`;
  const keep = (name: string, method: string, call: () => Promise<HttpResponse>): Promise<RawAnswer> =>
    ask(name, async () => {
      const { contentType, body } = await call();
      return { request: keptRequest(register, book, method, type), contentType, body };
    });
  const direct = await keep(key, DETAIL[book.operation], async () => (await askDetail(total, pull)).http);
  if (countDocuments(register.company, direct) >= documents) return;
  const wanted = { ...register, operation: book.operation, estado: book.estado, type };
  const file = await keep(`${key}/file`, 'obtenerArchivoBLOB', () => fetchFile(wanted, client, io));
  if (countDocuments(register.company, file) >= documents) return;
  await keep(`${key}/summary`, 'getResumen', async () => (await askSummary(register, book, client)).http);
};

/** Returns the number of documents in an answer without copies, counted in the same way as by the parser. */
const countDocuments = (company: string, answer: RawAnswer): number => {
  const reading = describeRegisterReading(company, answer);
  const tally = tallyRows(reading, answer.key, watchKeys());
  for (const _ of readDocuments(answer, reading, tally));
  return countIn(tally);
};

const askDetail = async ({ type, documents }: TypeTotal, { register, book, client }: BookPull): Promise<DataAnswer> => {
  const method = DETAIL[book.operation];
  const data = {
    ...buildBookScope(register, book),
    codTipoDoc: type,
    accionRecaptcha: RECAPTCHA_ACTION[book.operation].detail,
    tokenRecaptcha: RECAPTCHA_TOKEN,
  };
  if (book.operation === 'COMPRA') return client.call(method, data);
  const count = ({ http }: DataAnswer) =>
    reading(keptRequest(register, book, method, type), http, (answer) =>
      countDocuments(register.company, { key: `${book.key}/${type}`, ...answer }),
    );
  // The portal leaves `operacion` empty in this call, and other clients send VENTA (tax.md §4.1). The call with VENTA
  // is made only if the portal's form returns too few documents.
  const asPortal = await client.call(method, { ...data, operacion: '' });
  const shown = await count(asPortal);
  if (shown >= documents) return asPortal;
  const named = await client.call(method, data);
  return (await count(named)) > shown ? named : asPortal;
};

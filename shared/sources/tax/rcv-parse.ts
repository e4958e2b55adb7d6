/** Kept answers of a month → rows and notices (tax.md §9). Pure: the same answers give the same rows. */
import { ESTADOS, type RcvRow } from '#shared/scopes/tax-rcv.ts';
import { type JsonObject, type Parsed, type RawAnswer, SourceError } from '../source.ts';
import { isOutOfWindow, jsonOf } from './kept.ts';
import { fileText } from './rcv-file-text.ts';
import { parseFile } from './rcv-parse-csv.ts';
import { parseDetail } from './rcv-parse-json.ts';
import type { Reading } from './rcv-row.ts';
import { dataRows, readSummary, withheld } from './rcv-summary.ts';

/** Order of reading, whatever order the answers come in: the later place of a document wins (decisions.md §5). */
const READ_ORDER = ['PENDIENTE', 'NO_INCLUIR', 'RECLAMADO', 'REGISTRO'];

/** A file is asked for after the direct answer that was short, and takes its place. */
const rankOf = ({ request }: RawAnswer): number =>
  (request.operacion === 'VENTA' ? 100 : 0) +
  READ_ORDER.indexOf(String(request.estadoContab)) * 10 +
  (request.method === 'getResumen' ? 0 : request.method === 'obtenerArchivoBLOB' ? 2 : 1);

export function* parseRegister(company: string, answers: readonly RawAnswer[]): Generator<Parsed> {
  let isOutOfWindowTold = false;
  for (const answer of answers.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const reading = readingOf(company, answer);
    if (answer.request.method === 'obtenerArchivoBLOB') {
      yield* rows(parseFile(fileText(answer.body, answer.key), reading, answer.key));
      continue;
    }
    const body = jsonOf(answer);
    if (isOutOfWindow(body)) {
      if (!isOutOfWindowTold) yield outOfWindow(reading.period);
      isOutOfWindowTold = true;
    } else if (answer.request.method === 'getResumen') {
      yield* withheldNotices(body, reading, answer.key);
    } else {
      yield* rows(parseAnswer(body, reading, answer.key));
    }
  }
}

function* rows(parsed: ReturnType<typeof parseDetail>): Generator<Parsed> {
  for (const row of parsed) yield { row };
}

/** Export methods wrap the lines of the CSV in JSON (tax.md §5); details are objects. */
const parseAnswer = (body: JsonObject, reading: Reading, answerKey: string) => {
  const data = dataRows(body, answerKey);
  return typeof data[0] === 'string'
    ? parseFile(data.map(String).join('\n'), reading, answerKey)
    : parseDetail(data, reading, answerKey);
};

const outOfWindow = (period: string): Parsed => ({
  notice: {
    code: 'tax.rcv.out_of_window',
    message: `The tax authority does not keep a register for ${period}: it is too old.`,
  },
});

function* withheldNotices(body: JsonObject, reading: Reading, answerKey: string): Generator<Parsed> {
  for (const { type, documents } of withheld(readSummary(body, answerKey))) {
    const book = reading.operation === 'COMPRA' ? `purchases (${reading.estado})` : 'sales';
    yield {
      notice: {
        code: 'tax.rcv.total_only',
        message: `${reading.period}, ${book}: ${documents} documents of type ${type} are shown as a total only.`,
      },
    };
  }
}

const unknown = (answer: RawAnswer, why: string): SourceError =>
  new SourceError('source.unexpected_response', `${answer.key}: ${why}`);

const readingOf = (company: string, answer: RawAnswer): Reading => {
  const { operacion, ptributario, codTipoDoc } = answer.request;
  if (operacion !== 'COMPRA' && operacion !== 'VENTA') throw unknown(answer, 'neither purchases nor sales');
  const month = /^(\d{4})(0[1-9]|1[0-2])$/.exec(String(ptributario));
  if (!month) throw unknown(answer, 'no period in the request');
  const type = String(codTipoDoc ?? '').trim();
  return {
    own: company,
    period: `${month[1]}-${month[2]}`,
    operation: operacion,
    estado: estadoOf(answer),
    // 0 asks the Export methods for all types at once (tax.md §4).
    askedType: type === '' || type === '0' ? null : type,
  };
};

const estadoOf = (answer: RawAnswer): RcvRow['estado'] => {
  if (answer.request.operacion === 'VENTA') return 'registro';
  const estado = ESTADOS.find((name) => name === String(answer.request.estadoContab ?? '').toLowerCase());
  if (estado === undefined) throw unknown(answer, 'no accounting state in the request');
  return estado;
};

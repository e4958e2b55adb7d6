/** The adapter against an institution with wrong answers: one stage for the tests of a file. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { RcvRow } from '#shared/scopes/tax-rcv.ts';
import { type Notice, SourceError } from '#shared/sources/source.ts';
import type { TaxScope } from '#shared/sources/tax/sandbox/credentials.ts';
import { source } from '#shared/sources/tax/source.ts';
import { tieOutNotices } from '../../helpers/tie-out.ts';
import { createAsk } from './ask.ts';
import { type Answer, type Liar, type Lie, startLiar } from './tax-liar.ts';
import { ioWith, LAST_MONTH, labelled, requestOf, sandbox, sandboxUrl } from './tax-stage.ts';
import { SCOPES } from './tax-tally.ts';

export let liar: Liar;
beforeAll(async () => {
  liar = await startLiar(sandboxUrl());
});
afterAll(() => liar.close());
afterEach(() => {
  liar.lie = () => undefined;
  liar.lieOfFile = (text) => text;
  liar.called.length = 0;
});

const entry = labelled('works: small company');
const signal = new AbortController().signal;

export interface Read<R = RcvRow> {
  rows: R[];
  notices: Notice[];
  unreadable: Notice[];
}

export const readScope = async <R>(scope: TaxScope, period = LAST_MONTH): Promise<Read<R>> => {
  const io = ioWith(signal, liar.url);
  const { credentials, metadata } = entry;
  const session = await source.connect({ credentials, metadata }, io);
  const { ask, kept } = createAsk();
  try {
    await source.pull(requestOf(entry, period, scope), { session, ask, io, progress: () => {} });
  } finally {
    await source.disconnect(session, io);
  }
  const read: Read<R> = { rows: [], notices: [], unreadable: [] };
  const parsed = [...source.parse({ scope, period, credentials }, [...kept.values()])];
  for (const item of parsed) {
    if ('row' in item) read.rows.push(item.row.row as R);
    else if ('notice' in item) read.notices.push(item.notice);
    else if ('unreadable' in item) read.unreadable.push(item.unreadable);
  }
  read.notices.push(...tieOutNotices(SCOPES[scope], period, parsed));
  return read;
};

export const read = (period = LAST_MONTH): Promise<Read> => readScope('rcv', period);

export const refusal = async (period = LAST_MONTH, scope: TaxScope = 'rcv'): Promise<SourceError> => {
  try {
    await readScope(scope, period);
  } catch (error) {
    expect(error).toBeInstanceOf(SourceError);
    return error as SourceError;
  }
  throw new Error('nothing was refused');
};

/** Changes the rows of one document type of the registered purchases; there are at least four. */
export const inRows =
  (change: (rows: Record<string, unknown>[]) => Record<string, unknown>[], type = '33'): Lie =>
  (method, answer, asked) => {
    if (method !== 'getDetalleCompra' || asked.estadoContab !== 'REGISTRO' || String(asked.codTipoDoc) !== type) return;
    expect(answer.data?.length).toBeGreaterThan(3);
    answer.data = change(answer.data!);
  };

export const inTotals =
  (change: (row: Record<string, unknown>, answer: Answer) => void, operation = 'COMPRA'): Lie =>
  (method, answer, asked) => {
    if (method !== 'getResumen' || asked.operacion !== operation || asked.estadoContab !== 'REGISTRO') return;
    for (const row of answer.data ?? []) if (row.rsmnTipoDocInteger === 33) change(row, answer);
  };

export const without = (key: string) => (row: Record<string, unknown>) => {
  const { [key]: _, ...rest } = row;
  return rest;
};

export const ledger = (scope: TaxScope = 'rcv') => sandbox.ledger(entry.credentials.rut, LAST_MONTH)[scope][LAST_MONTH];
/** Two rows come twice and two are missing, so the number of lines is right. */
export const doubled = <Row>(rows: Row[]): Row[] => [...rows.slice(2), ...rows.slice(2, 4)];

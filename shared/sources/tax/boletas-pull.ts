/**
 * Fetches the daily receipts of one month (tax.md §6): first the register's totals, which give the number of receipts,
 * and then the days of each document type.
 */
import { BOLETA_TYPES } from '#shared/scopes/tax-boletas.ts';
import { checkedAnswer } from '../parsing/results.ts';
import type { JsonObject, PullContext } from '../source.ts';
import { registerTotals } from './boletas-totals.ts';
import type { DataClient } from './client.ts';
import { isOutOfWindow, parseJsonAnswer } from './kept.ts';
import { askSummary, type CompanyMonth, formatMonth, keptRequest, rutFields, SALES } from './rcv-request.ts';
import { checkRecentWindow, checkRegisterWindow } from './window.ts';

export interface BoletasClients {
  register: DataClient;
  boletas: DataClient;
}

const METHOD = 'obtieneListaBoletasMes';

export const pullBoletas = async (
  month: CompanyMonth,
  { register, boletas }: BoletasClients,
  { ask, io, progress }: PullContext,
): Promise<void> => {
  const summary = await ask('summary', async () => {
    const { http, verdict } = await askSummary(month, SALES, register);
    return checkedAnswer(keptRequest(month, SALES, 'getResumen', null), http, () => {
      checkRegisterWindow(verdict, month.period, io.now());
      if (verdict.kind === 'data') registerTotals(verdict.answer, 'getResumen');
    });
  });
  if (isOutOfWindow(parseJsonAnswer(summary))) return;
  for (const type of BOLETA_TYPES) {
    progress(`boletas ${month.period}: reading the days of type ${type}`);
    await ask(type, () => askDays(month, type, boletas, io.now));
  }
};

const askDays = async ({ company, period }: CompanyMonth, type: string, client: DataClient, now: () => number) => {
  const asked: JsonObject = { periodo: formatMonth(period), tipoDocumento: type };
  const data: JsonObject = { ...rutFields(company, 'rut', 'dv'), ...asked };
  const { http, verdict } = await (type === '41' ? askExempt(data, client) : client.call(METHOD, data));
  const request = { method: METHOD, ...asked, ...(verdict.kind === 'refused' ? { isRefused: true } : {}) };
  return checkedAnswer(request, http, () => checkRecentWindow(verdict, METHOD, period, now()));
};

/**
 * Requests type 41. No client was seen requesting type 41 from this service, so a refusal must not fail the scope
 * (§6.2). The request is repeated once, because a single refusal may be a temporary fault.
 */
const askExempt = async (data: JsonObject, client: DataClient) => {
  const first = await client.tryCall(METHOD, data);
  return first.verdict.kind === 'refused' ? client.tryCall(METHOD, data) : first;
};

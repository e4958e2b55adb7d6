/**
 * Daily receipts of one month (tax.md §6): the register's totals of the month first, to know what there should be, then
 * the days of each type.
 */

import { BOLETA_TYPES } from '#shared/scopes/tax-boletas.ts';
import { splitRut } from '#shared/values/rut.ts';
import { type Ask, type JsonObject, type Progress, reading } from '../source.ts';
import { registerTotals } from './boletas-totals.ts';
import type { DataClient } from './client.ts';
import { isOutOfWindow, jsonOf } from './kept.ts';
import { askSummary, keptRequest, type Month, monthOf, SALES } from './rcv-request.ts';
import { checkRecentWindow, checkRegisterWindow } from './window.ts';

export interface BoletasClients {
  register: DataClient;
  boletas: DataClient;
}

const METHOD = 'obtieneListaBoletasMes';

export const pullBoletas = async (
  month: Month,
  { register, boletas }: BoletasClients,
  ask: Ask,
  now: () => number,
  progress: Progress,
): Promise<void> => {
  const summary = await ask('summary', async () => {
    const { http, verdict } = await askSummary(month, SALES, register);
    const request = keptRequest(month, SALES, 'getResumen', null);
    const answer = { request, contentType: http.contentType, body: http.body };
    await reading(answer, () => {
      checkRegisterWindow(verdict, month.period, now());
      if (verdict.kind === 'data') registerTotals(verdict.answer, 'getResumen');
    });
    return answer;
  });
  if (isOutOfWindow(jsonOf(summary))) return;
  for (const type of BOLETA_TYPES) {
    progress(`boletas ${month.period}: reading the days of type ${type}`);
    await ask(type, () => askDays(month, type, boletas, now));
  }
};

const askDays = async ({ company, period }: Month, type: string, client: DataClient, now: () => number) => {
  const { body, checkDigit } = splitRut(company);
  const data: JsonObject = { rut: body, dv: checkDigit, periodo: monthOf(period), tipoDocumento: type };
  const request: JsonObject = { method: METHOD, periodo: monthOf(period), tipoDocumento: type };
  const { http, verdict } = await (type === '41' ? askExempt(data, client) : client.call(METHOD, data));
  const answer = {
    request: verdict.kind === 'refused' ? { ...request, isRefused: true } : request,
    contentType: http.contentType,
    body: http.body,
  };
  await reading(answer, () => checkRecentWindow(verdict, METHOD, period, now()));
  return answer;
};

/**
 * Nobody was seen asking this service for 41: its refusal must not fail the scope (§6.2). One refusal may be a fault of
 * the moment, so that the service is asked twice.
 */
const askExempt = async (data: JsonObject, client: DataClient) => {
  const first = await client.tryCall(METHOD, data);
  return first.verdict.kind === 'refused' ? client.tryCall(METHOD, data) : first;
};

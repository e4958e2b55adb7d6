/**
 * Answers of institutions as public captures show them, given by servers in front of a running stack: each case serves
 * exactly its right values over HTTP.
 */
import { afterAll, expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS as TICKETS } from '#shared/sources/procurement/sandbox/credentials.ts';
import { createProcurementSandbox } from '#shared/sources/procurement/sandbox/server.ts';
import { SANDBOX_CREDENTIALS as COMPANIES } from '#shared/sources/tax/sandbox/credentials.ts';
import { createTaxSandbox } from '#shared/sources/tax/sandbox/server.ts';
import { startLiar } from '#test/fakes/liar.ts';
import type { Row } from '#test/helpers/e2e-integrator.ts';
import { useStack } from '#test/helpers/e2e-stack.ts';
import { lieOfCase, taxCases } from '#test/helpers/public-tax-cases.ts';
import { answering, TENDER_CASES } from '#test/helpers/public-tender-cases.ts';

const now = (): number => Date.now();
const institutions = [createTaxSandbox({ now }), createProcurementSandbox({ now })] as const;
const [register, portal] = await Promise.all(institutions.map(async (one) => startLiar(await one.listen(0))));
afterAll(async () => {
  for (const server of [register!, portal!, ...institutions]) await server.close();
});
const stage = useStack({
  ...{ SOURCE_TAX_BASE_URL: register!.url, SOURCE_TAX_PACE: '0,0,0' },
  ...{ SOURCE_PROCUREMENT_BASE_URL: portal!.url, SOURCE_PROCUREMENT_PACE: '0,0,0' },
});
const [company] = COMPANIES.filter(({ behaviour }) => behaviour === 'empty');
const [ticket] = TICKETS;

test.each(taxCases().map((one) => [one.id, one.title, one] as const))('%s: %s', async (_id, _title, one) => {
  const { api } = stage;
  const { expected, month } = one;
  const lie = lieOfCase(one);
  register!.lie = ({ url, asked, status, body }) => {
    const told = lie(url, asked, { status, body: body.toString('latin1') });
    return told && Buffer.from(told.body, 'latin1');
  };
  const connectionId = await api.connect(company!.credentials);
  const run = await api.finished(connectionId, await api.sync(connectionId, [month.replace(/^(\d{4})/, '$1-')]));
  const notices = run.scope_outcomes.flatMap((outcome) => outcome.notices).map(({ code }) => code);
  // Other cases connect the same login.
  expect(notices.filter((code) => !code?.endsWith('.login_shared'))).toEqual(expected.notices);
  if (expected.status !== 'any') expect(run.status).toBe(expected.status);
  const rows = await api.allDocuments(connectionId);
  for (const { _no_taxes, ...wanted } of expected.rows) {
    const found = rows.filter(
      ({ document_type, folio }) => document_type === wanted.document_type && folio === wanted.folio,
    );
    expect(found).toHaveLength(1);
    const full = await api.get(`/connections/${connectionId}/tax-rcv-documents/${found[0]!.id}`);
    const values = Object.entries(wanted).map(([field, value]) => [
      field,
      value === 'OWN' ? company!.credentials.rut : value,
    ]);
    expect(full).toMatchObject(Object.fromEntries(values));
    if (_no_taxes) expect(full.raw_row).not.toHaveProperty('otros_impuestos');
  }
});

test.each(TENDER_CASES.map((one) => [one.id, one.title, one] as const))('%s: %s', async (_id, _title, one) => {
  const { api } = stage;
  const { codigo, detail, questions, expected } = one;
  portal!.lie = answering(one);
  const body = {
    external_source_code: 'procurement',
    name: 'Compras',
    enabled_scopes: [...(detail ? ['licitaciones'] : []), ...(questions ? ['preguntas'] : [])],
    ...{ credentials: ticket!.credentials, metadata: { codigos: [codigo] } },
  };
  const { id } = await api.must(201, 'POST', '/connections', { as: 'session', body });
  const { sync_id } = await api.must(202, 'POST', `/connections/${id}/sync`, {});
  const run = await api.finished(id, sync_id);
  expect(run.status).toBe(expected.status);
  const notices = run.scope_outcomes.flatMap((outcome) => outcome.notices).map(({ code }) => code);
  // Other cases connect the same login.
  expect(notices.filter((code) => !code?.endsWith('.login_shared'))).toEqual(expected.notices);
  if (detail) expect(await api.get(`/procurement/licitaciones/${codigo}`)).toMatchObject(expected.tender);
  if (!expected.questions) return;
  const rows: Row[] = await api.get(`/procurement/licitaciones/${codigo}/preguntas`);
  expect(rows).toHaveLength(expected.questions.length);
  expect(rows).toMatchObject(expected.questions);
});

/** On a Spanish page no English message of the service is shown: figures say what a notice is about. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

const SAID = 'as the service says';
const PARAMS = {
  ...{ period: '2026-11', account: '0012', count: 3, total: 1_200, since: '2026-10-05', direction: 'issued' as const },
  ...{ document_type: '33', file: 'Bases <b>.pdf', stops_at: '1000.50', resumes_at: '2000' },
};

let causes: typeof import('../../../dashboard/src/connections/causes.ts');
beforeAll(async () => {
  vi.stubGlobal('navigator', { languages: ['es-CL'] });
  causes = await import('../../../dashboard/src/connections/causes.ts');
});
afterAll(() => {
  vi.unstubAllGlobals();
});

it('names months, parties, accounts and counts in figures', () => {
  const { text, detail } = causes.describeNotice({
    code: 'tax.guias.fewer_than_total',
    message: SAID,
    params: PARAMS,
  });
  expect(text).toBe('La institución entregó menos registros que los que dice tener.');
  expect(detail).toBe(
    'nov 2026 · Emitido · documentos Factura electrónica · cuenta 0012 · desde el 05-10-2026 · «Bases <b>.pdf» · 3 de 1.200 · de 1.000,50 a 2.000',
  );
});

it('shows no English message where there are no figures or no words', () => {
  expect(causes.describeNotice({ code: 'tax.rcv.rows_kept', message: SAID })).toMatchObject({ detail: null });
  expect(causes.describeNotice({ code: 'tax.rcv.of_tomorrow', message: SAID }).text).toBe(
    'Un aviso que esta página todavía no conoce (tax.rcv.of_tomorrow).',
  );
  expect(causes.failureDetail('The institution answered 500.')).toBeNull();
});

it('says in Spanish why no login was tried, without the message of the last one', () => {
  const day = 'Not tried: two unclear logins today; next try 2026-11-24T03:00:00.000Z or with new credentials.';
  expect(causes.failureDetail(`${day} Last: The institution answered 500.`)).toMatch(
    /^No se intentó entrar: .*24-11-2026, 0?0:00, .*datos de acceso\.$/,
  );
});

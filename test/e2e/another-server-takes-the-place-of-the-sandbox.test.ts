/** `SOURCE_TAX_BASE_URL` points at a server for which the adapter was not written: nothing else changes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OTHER_CREDENTIALS, OTHER_PERIOD, startOtherTaxServer } from '#test/fakes/other-tax-server.ts';
import type { Row, Run } from '#test/helpers/e2e-integrator.ts';
import { useStack } from '#test/helpers/e2e-stack.ts';

const server = await startOtherTaxServer();
afterAll(() => server.close());
const stage = useStack({ SOURCE_TAX_BASE_URL: server.url, SOURCE_TAX_PACE: '0,0,0' });

let run: Run;
let rows: Row[];

beforeAll(async () => {
  const { api } = stage;
  stage.secrets.add(OTHER_CREDENTIALS.password);
  const connectionId = await api.connect(OTHER_CREDENTIALS);
  run = await api.finished(connectionId, await api.sync(connectionId, [OTHER_PERIOD]));
  rows = await api.allDocuments(connectionId);
});

test('no sandbox is started', () => {
  expect(stage.api.file.sandbox).not.toHaveProperty('tax');
});

test('the run succeeds with every document, direct and by file', () => {
  expect(run).toMatchObject({ status: 'succeeded', records_found: 5, records_created: 5 });
  const shown = rows.map(({ document_type, folio, net_amount, receiver_name }) => [
    document_type,
    folio,
    net_amount,
    receiver_name,
  ]);
  expect(shown.sort()).toEqual([
    ['33', '1', '100', 'CLIENTE EJEMPLO LTDA'],
    ['33', '2', '100', 'CLIENTE EJEMPLO LTDA'],
    ['34', '11', '1000', 'CLIENTE ÑUÑOA'],
    ['34', '12', '1000', 'CLIENTE ÑUÑOA'],
    ['34', '13', '1000', 'CLIENTE ÑUÑOA'],
  ]);
});

test('it saw one login with this password, and the logout last', () => {
  expect(server.form).toMatchObject({ rut: '11111111', dv: '1', clave: OTHER_CREDENTIALS.password });
  expect(server.calls.filter((path) => path.endsWith('CAutInicio.cgi'))).toHaveLength(1);
  expect(server.calls.at(-1)).toBe('/cgi_AUT2000/autTermino.cgi');
});

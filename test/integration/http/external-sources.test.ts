import { expect, test } from 'vitest';
import { contract } from '#functions/api/external-sources/list-external-sources/contract.ts';
import { handler } from '#functions/api/external-sources/list-external-sources/handler.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import { call } from '#test/helpers/http.ts';

const list = async (query = '') => call(contract, handler, { query });
const codes = async (query: string) => (await list(query)).body.data.map(({ code }: { code: string }) => code);

test('lists every source without a credential', async () => {
  const answer = await list();
  expect(answer.status).toBe(200);
  expect(await codes('')).toEqual(MANIFESTS.map(({ code }) => code));
  expect(answer.headers['cache-control']).toBeUndefined();
});

test('filters exactly; an unknown value finds nothing, an unknown parameter is refused', async () => {
  expect(await codes('country=CL&type=tax_authority&is_active=true')).toContain('tax');
  expect(await codes('country=cl')).toEqual([]);
  expect(await codes('type=nope')).toEqual([]);
  expect(await codes('country=')).toEqual([]);
  expect(await codes('is_active=false')).toEqual(MANIFESTS.filter(({ isActive }) => !isActive).map(({ code }) => code));
  expect((await list('nope=1')).body.error.message).toBe(
    'nope is not a known query parameter. Known: country, type, is_active.',
  );
  expect((await list('country=CL&country=AR')).status).toBe(400);
});

test.each(['yes', '1', 'TRUE', ''])('is_active=%s: 400', async (value) => {
  const answer = await list(`is_active=${value}`);
  expect([answer.status, answer.body.error]).toEqual([
    400,
    { code: 'validation_error', message: 'is_active must be true or false' },
  ]);
});

test('a source describes what a form and a client need', async () => {
  const tax = (await list()).body.data.find(({ code }: { code: string }) => code === 'tax');
  expect(tax.supported_scopes).toEqual(tax.scopes.map(({ name }: { name: string }) => name));
  expect(tax.scopes[0]).toEqual({
    name: 'rcv',
    label: expect.any(String),
    data_path_template: '/api/connections/{connection_id}/tax-rcv-documents',
    sync_metadata: expect.objectContaining({ additionalProperties: false }),
    filters: expect.not.objectContaining({ $schema: expect.anything() }),
  });
  expect(tax.scopes[0].filters.properties).toMatchObject({
    period: { type: 'string', pattern: expect.any(String) },
    direction: { type: 'string', enum: ['received', 'issued'] },
    from: { type: 'string', format: 'date' },
    limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    offset: { type: 'integer', minimum: 0, default: 0 },
  });
  // Defaults make parameters optional for the caller.
  expect(tax.scopes[0].filters.required).toBeUndefined();
  expect(tax.metadata.credentials_schema).toMatchObject({
    type: 'object',
    required: ['rut', 'password'],
    properties: { password: { type: 'string', minLength: 1, maxLength: 128, format: 'password' } },
    additionalProperties: false,
  });
  expect(tax.metadata.connection_metadata_schema).toMatchObject({ type: 'object', additionalProperties: false });
});

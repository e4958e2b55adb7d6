/** The hints of a form equal those in the source's own schema. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import DESCRIPTIONS from '#shared/http/views/described-sources.gen.json' with { type: 'json' };
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import { HINT } from '#shared/values/hint.ts';
import { HINTS } from '../../../dashboard/src/connections/codes.gen.ts';
import { findLabel } from '../../../dashboard/src/form/field-texts.ts';
import { hintTexts } from '../../../dashboard/src/form/hint-texts.ts';

interface Property {
  title?: string;
  description?: string;
  format?: string;
}

const schemas = MANIFESTS.map(({ code, credentialsSchema }) => {
  const { properties = {}, required = [] } = z.toJSONSchema(credentialsSchema) as {
    properties?: Record<string, Property>;
    required?: string[];
  };
  return { code, properties, required };
});
const companies = schemas.filter(({ properties }) => 'company_rut' in properties);

describe('hints', () => {
  it.each(companies)('$code: what its company_rut is, and that it may be empty only where it may', (source) => {
    const { help } = findLabel('credentials', 'company_rut', source.properties.company_rut!);
    expect(help).toMatch(/^The (?:company whose|RUT that statements)/);
    expect(help?.includes('When empty')).toBe(!source.required.includes('company_rut'));
  });

  it('of one name differ where the schemas do', () => {
    const [said, shown] = [new Set<string>(), new Set<string>()];
    for (const { properties } of companies) {
      said.add(properties.company_rut?.title ?? '');
      shown.add(findLabel('credentials', 'company_rut', properties.company_rut!).help ?? '');
    }
    expect(said.size).toBe(4);
    expect(shown.size).toBe(said.size);
  });

  it('without a translation are the schema’s own', () => {
    expect(findLabel('credentials', 'company_rut', { title: 'RUT of somebody else' })).toEqual({
      label: 'RUT of the company',
      help: 'RUT of somebody else',
    });
    expect(findLabel('credentials', 'token', { title: 'Token', description: 'From the portal.' })).toEqual({
      label: 'Token',
      help: 'From the portal.',
    });
  });

  it('say of a secret that it is stored encrypted, and nothing where the name is enough', () => {
    expect(findLabel('credentials', 'password', { title: 'Clave', format: 'password' }).help).toContain('encrypted');
    expect(findLabel('credentials', 'client_id', { title: 'Client id' }).help).toBeUndefined();
  });

  it('have a text in both languages, and no text is left over', () => {
    const keys = new Set(Object.values(HINTS).map(({ key }) => key));
    const { secret: _, ...texts } = hintTexts.es;
    expect([...keys].sort()).toEqual(Object.keys(texts).sort());
    expect(Object.keys(hintTexts.en).sort()).toEqual(Object.keys(hintTexts.es).sort());
  });

  it('contain the number of the schema', () => {
    const description = 'Last day of publication, at most 7 days in all; needs from.';
    expect(findLabel('credentials', 'to', { description }).help).toBe('At most 7 days in all.');
    expect(findLabel('credentials', 'to', { description: 'Last day.' }).help).toBe('Last day.');
  });

  it('are not published: a strict validator rejects a schema with an unknown keyword', () => {
    const schemas = Object.values(DESCRIPTIONS).flatMap(({ credentials, metadata }) => [credentials, metadata]);
    expect(schemas).toHaveLength(2 * MANIFESTS.length);
    for (const schema of schemas) {
      const ajv = new Ajv2020({ strict: true });
      ajvFormats.default(ajv);
      expect(() => ajv.compile(schema)).not.toThrow();
    }
    expect(JSON.stringify(DESCRIPTIONS)).not.toContain(HINT);
  });
});

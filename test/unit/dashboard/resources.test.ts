/** Every scope that the API describes has a table, and every column and filter has a name in both languages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toExtSourceScopes } from '#shared/http/views/scope-descriptor.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import { dashboardResources } from '#tools/dashboard-resources.ts';
import { fieldTexts } from '../../../dashboard/src/data/field-texts.ts';
import { listFilters } from '../../../dashboard/src/data/filters.ts';
import { findResource, pathWith } from '../../../dashboard/src/data/find-resource.ts';
import { RESOURCES } from '../../../dashboard/src/data/resources.gen.ts';
import { valueTexts } from '../../../dashboard/src/data/value-texts.ts';

const descriptors = MANIFESTS.flatMap((manifest) =>
  toExtSourceScopes(manifest).map((scope) => ({ source: manifest.code, ...scope })),
);

describe('resources of the dashboard', () => {
  it.each(descriptors)('$source $name is read where its descriptor says', ({ source, name, data_path_template }) => {
    const resource = findResource(source, name);
    if (data_path_template?.includes('{connection_id}'))
      expect(pathWith(resource?.path ?? '', 'one')).toBe(data_path_template.replace('{connection_id}', 'one'));
    else expect(resource?.path).toMatch(/^\/connections\/\{id\}\/licitaciones(?:$|\/\{codigo\}\/)/);
    expect(resource?.fields.length).toBeGreaterThan(3);
  });

  it('knows documents, parts, months and files where a scope has them', () => {
    expect(findResource('tax', 'rcv')?.document?.fields.map(({ name }) => name)).toContain('raw_row');
    expect(findResource('bankone', 'nominas')?.parts.map(({ name }) => name)).toEqual(['pagos']);
    expect(findResource('bankone', 'balances')?.periods).toBeNull();
    expect(findResource('banktwo', 'movements')?.periods).toMatch(/\/periods$/);
    expect(findResource('procurement', 'ofertas')?.download).toMatch(
      /^\/connections\/\{id\}\/licitaciones\/documentos\//,
    );
    expect(findResource('procurement', 'preguntas')?.download).toBeNull();
    expect(findResource('procurement', 'licitaciones')).toMatchObject({
      parts: [],
      path: '/connections/{id}/licitaciones',
    });
    expect(findResource('procurement', 'licitaciones')?.document?.fields.map(({ name }) => name)).toContain(
      'raw_ficha',
    );
    expect(findResource('tax', 'unknown')).toBeUndefined();
  });

  it('never takes an amount for a number or a text', () => {
    const amounts = RESOURCES.flatMap(({ fields }) => fields).filter(({ name }) => /amount|monto|saldo/.test(name));
    expect(amounts.length).toBeGreaterThan(20);
    expect([...new Set(amounts.map(({ kind }) => kind))]).toEqual(['decimal']);
  });

  it('names every column and filter in both languages', () => {
    const columns = RESOURCES.flatMap(({ fields, document, parts }) => [
      ...fields,
      ...(document?.fields ?? []),
      ...parts.flatMap((part) => part.fields),
    ]);
    const filters = descriptors.flatMap(({ filters }) => listFilters(filters));
    const names = [...new Set([...columns, ...filters].map(({ name }) => name))];
    expect(names.filter((name) => !Object.hasOwn(fieldTexts.es, name) || !Object.hasOwn(fieldTexts.en, name))).toEqual(
      [],
    );
  });

  it('names every scope and every choice in both languages', () => {
    const choices = descriptors.flatMap(({ filters }) =>
      listFilters(filters).flatMap(({ name, values }) => values.map((value) => `${name}.${value}`)),
    );
    const scopes = descriptors.map(({ source, name }) => `${source}.${name}`);
    expect([...choices, ...scopes].filter((key) => !Object.hasOwn(valueTexts.es, key))).toEqual([]);
    expect(choices).toContain('estado.no_incluir');
  });

  it('refuses a scope whose rows no path answers', () => {
    const description = readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8');
    expect(() => dashboardResources(description, [...SCOPES, { source: 'tax', name: 'nothing' }])).toThrow(
      'no path of the description answers TaxNothingRow',
    );
  });
});

describe('filters', () => {
  const rcv = descriptors.find(({ name }) => name === 'rcv');
  const filters = listFilters(rcv?.filters ?? null);

  it('are those of the descriptor, without the paging', () => {
    expect(filters.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'period period',
      'direction choice',
      'estado choice',
      'document_type text',
      'q text',
      'from day',
      'to day',
    ]);
    expect(listFilters(descriptors.find(({ name }) => name === 'balances')?.filters ?? null)[0]).toMatchObject({
      name: 'latest',
      kind: 'switch',
    });
    expect(listFilters(null)).toEqual([]);
  });
});

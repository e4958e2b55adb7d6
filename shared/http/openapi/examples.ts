/** One plausible value for any schema: its own example, else one that fits its name, format or type. */
import { type Json, referenced } from './json-schema.ts';

const UUIDS = '4f9d3c52-7a1e-4b60-9c8d-';
/** Different names give different ids, the same ones each time. */
const uuidFor = (name: string): string => {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)!) % 0xffff_ffff;
  return `${UUIDS}${sum.toString(16).padStart(12, '0')}`;
};

/** By name of the property, where a format says too little. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  name: 'Mi empresa',
  created_at: '2026-10-14T12:30:00.000Z',
  started_at: '2026-10-14T12:30:01.250Z',
  finished_at: '2026-10-14T12:30:41.700Z',
  total: 1,
  limit: 50,
  offset: 0,
  has_more: false,
  attempts: 1,
  day: 14,
  linea: 1,
  tamano: '48213',
  issuer_rut: '76192083-9',
  receiver_rut: '96790240-3',
  counterparty_rut: '96790240-3',
  oferente_rut: '96790240-3',
  organismo_rut: '61602000-0',
  rut: '12345678-5',
  issuer_name: 'Comercial Ñandú SpA',
  receiver_name: 'Servicios del Sur Ltda.',
  counterparty_name: 'Servicios del Sur Ltda.',
  currency: 'CLP',
  moneda: 'CLP',
  folio: '1042',
  document_type: '33',
  net_amount: '100000',
  exempt_amount: '0',
  vat_amount: '19000',
  total_amount: '119000',
  vat_rate: '19.0',
  amount: '-45000',
  saldo_contable: '1250000',
  saldo_disponible: '1250000',
  numero_cuenta: '000123456789',
  codigo: '1509-5-L114',
  q: 'nandu',
  url: 'https://example.com/webhooks',
  data_url: '/api/connections/4f9d3c52-7a1e-4b60-9c8d-000000000d1b/tax-rcv-documents',
  data_path_template: '/api/connections/{connection_id}/tax-rcv-documents',
};

const BY_FORMAT: Readonly<Record<string, unknown>> = {
  date: '2026-10-14',
  'date-time': '2026-10-14T12:30:00.000Z',
  uri: 'https://example.com/webhooks',
};

export type Components = Readonly<Record<string, Json>>;

const first = (value: unknown): unknown => (Array.isArray(value) ? (value as unknown[])[0] : undefined);

const byPattern = (pattern: unknown): unknown => {
  if (typeof pattern !== 'string') return undefined;
  if (pattern === '^\\d{4}-(0[1-9]|1[0-2])$') return '2026-10';
  return pattern.startsWith('^-?\\d+') ? '1190' : undefined;
};

const objectExample = (schema: Json, components: Components): Json => {
  const isAllOptional = !Array.isArray(schema.required) || schema.required.length === 0;
  return Object.fromEntries(
    Object.entries((schema.properties ?? {}) as Record<string, Json>)
      // What may be left out is: the example shows the short form. Where all may be, the first alone is shown.
      .filter(
        ([name], at) => ((schema.required as string[] | undefined) ?? []).includes(name) || (isAllOptional && at === 0),
      )
      .map(([name, property]) => [name, exampleOf(property, components, name)]),
  );
};

const byType = (type: unknown, schema: Json, components: Components, name: string): unknown => {
  switch (type) {
    case 'object':
      return objectExample(schema, components);
    case 'array':
      return [exampleOf((schema.items ?? {}) as Json, components, name)];
    case 'integer':
    case 'number':
      return Number(schema.minimum ?? 0);
    case 'boolean':
      return true;
    case 'string':
      return name === '' ? 'text' : `${name.replaceAll('_', ' ')}`;
    default:
      return null;
  }
};

export const exampleOf = (schema: Json, components: Components, name = ''): unknown => {
  const component = referenced(schema);
  if (component !== undefined) return exampleOf(components[component] ?? {}, components, name);
  for (const given of [first(schema.examples), schema.const, first(schema.enum), schema.default])
    if (given !== undefined) return given;
  if (Array.isArray(schema.anyOf)) return exampleOf(schema.anyOf[0] as Json, components, name);
  if (schema.format === 'uuid') return uuidFor(name);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  const known = type === 'object' || type === 'array' ? undefined : BY_NAME[name];
  return (
    known ?? BY_FORMAT[String(schema.format)] ?? byPattern(schema.pattern) ?? byType(type, schema, components, name)
  );
};

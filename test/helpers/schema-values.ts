/** Random values around the service's published JSON Schemas: most are valid, the rest are slightly off. */
import fc from 'fast-check';
import { HTTP_LIMITS } from '#shared/http/limits.ts';

export interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: unknown;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
  examples?: unknown[];
}

/** A value of any type, as from a client that confuses fields. */
const foreign = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom(null, true, false, '', ' ', [], {}, 0, -1, 1.5),
    fc.string({ unit: 'binary', maxLength: 8 }).filter((text) => text.isWellFormed()),
    fc.integer(),
    fc.array(fc.string(), { maxLength: 3 }),
    fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }),
  );

const twoDigits = (from: number, to: number) =>
  fc.integer({ min: from, max: to }).map((n) => String(n).padStart(2, '0'));
const year = () => fc.integer({ min: 1900, max: 2100 }).map(String);

/** Days and instants, some of them outside the calendar. */
const days = () => fc.tuple(year(), twoDigits(0, 13), twoDigits(0, 32)).map((parts) => parts.join('-'));
const instants = () =>
  fc
    .tuple(days(), twoDigits(0, 24), twoDigits(0, 60), twoDigits(0, 60))
    .chain(([day, hour, minute, second]) =>
      fc
        .constantFrom('Z', '+00:00', '-03:00', '+14:00', '', 'z', '+0300', '+24:00')
        .chain((zone) =>
          fc
            .constantFrom('', '.5', '.123', '.123456')
            .map((part) => `${day}T${hour}:${minute}:${second}${part}${zone}`),
        ),
    );

const HOSTS = [
  'example.com',
  '203.0.113.7',
  '[2001:db8::1]',
  'a.b.example',
  'user@example.com',
  'ex ample.com',
  'x:443',
];
const urls = () =>
  fc
    .tuple(
      fc.constantFrom('https://', 'HTTPS://', 'http://', 'ftp://', 'https:', ''),
      fc.constantFrom(...HOSTS),
      fc.oneof(fc.webPath(), fc.constantFrom('', '/', '?q=1', '/a#b', '\\', '/%zz', '/ñ')),
    )
    .map((parts) => parts.join(''));

const BY_FORMAT: Readonly<Record<string, () => fc.Arbitrary<string>>> = {
  date: days,
  'date-time': instants,
  uri: urls,
  uuid: () => fc.uuid(),
};

/** Lengths on both sides of each bound. */
const textOf = ({ minLength = 0, maxLength = HTTP_LIMITS.nameCharsMax }: JsonSchema): fc.Arbitrary<string> => {
  const lengths = [minLength - 1, minLength, minLength + 1, maxLength, maxLength + 1].filter((length) => length >= 0);
  const unit = fc.constantFrom(...'aZ0-. ', 'ñ', '😀');
  return fc.oneof(
    fc.string({ unit, maxLength: 12 }),
    fc
      .constantFrom(...lengths)
      .chain((length) => fc.array(unit, { minLength: length, maxLength: length }).map((letters) => letters.join(''))),
  );
};

/** A short text that matches the pattern, and the same with one letter changed. */
const matching = (pattern: string): fc.Arbitrary<string> => {
  const text = fc.stringMatching(new RegExp(pattern), { size: 'small' });
  return fc.oneof(
    { weight: 3, arbitrary: text },
    { weight: 1, arbitrary: fc.tuple(text, fc.nat()).map(([it, at]) => `${it.slice(0, at % 9)}?${it.slice(at % 9)}`) },
  );
};

const strings = (schema: JsonSchema): fc.Arbitrary<string> => {
  const formatted = BY_FORMAT[schema.format ?? '']?.();
  if (formatted) return formatted;
  return schema.pattern === undefined ? textOf(schema) : fc.oneof(matching(schema.pattern), textOf(schema));
};

const integers = ({ minimum = -3, maximum = 2 ** 53 - 1 }: JsonSchema): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.integer({ min: Math.max(minimum, -(2 ** 31)), max: Math.min(maximum, 2 ** 31) }),
    fc.constantFrom(minimum - 1, minimum, maximum, maximum + 1, minimum + 0.5),
  );

const arrays = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const { items = {}, minItems = 0, maxItems = 4 } = schema;
  const of = valuesAround(items);
  const lengths = [minItems - 1, minItems, minItems + 1, maxItems, maxItems + 1].filter((n) => n >= 0 && n < 60);
  return fc.constantFrom(...lengths).chain((length) => fc.array(of, { minLength: length, maxLength: length }));
};

/** The required properties and at most two others, so that properties that exclude each other also occur separately. */
const someOf = (model: Record<string, fc.Arbitrary<unknown>>, required: string[]): fc.Arbitrary<unknown> =>
  fc.subarray(Object.keys(model), { maxLength: Math.min(2, Object.keys(model).length) }).chain((chosen) => {
    const names = new Set([...required, ...chosen]);
    return fc.record(Object.fromEntries([...names].map((name) => [name, model[name] ?? foreign()])));
  });

const objects = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const properties = Object.entries(schema.properties ?? {});
  const model = Object.fromEntries(properties.map(([name, property]) => [name, valuesAround(property)]));
  const required = schema.required ?? [];
  const whole = fc.record(model, { requiredKeys: required });
  if (properties.length === 0) return fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 });
  return fc.oneof(
    { weight: 5, arbitrary: whole },
    { weight: 2, arbitrary: someOf(model, required) },
    { weight: 1, arbitrary: fc.record(model, { requiredKeys: [] }) },
    { weight: 1, arbitrary: whole.map((value) => ({ ...value, un_known: 1 })) },
  );
};

const typeOf = ({ type, properties }: JsonSchema): string[] =>
  type === undefined ? [properties ? 'object' : 'any'] : [type].flat();

const BY_TYPE: Readonly<Record<string, (schema: JsonSchema) => fc.Arbitrary<unknown>>> = {
  string: strings,
  integer: integers,
  number: integers,
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  array: arrays,
  object: objects,
  any: foreign,
};

const fitting = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const given = [...(schema.enum ?? []), ...('const' in schema ? [schema.const] : [])];
  if (given.length > 0) return fc.constantFrom(...given);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(fitting));
  const examples = schema.examples ?? [];
  const drawn = fc.oneof(...typeOf(schema).map((type) => BY_TYPE[type]!(schema)));
  return examples.length > 0 ? fc.oneof(fc.constantFrom(...examples), drawn) : drawn;
};

export const valuesAround = (schema: JsonSchema): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: fitting(schema) }, { weight: 1, arbitrary: foreign() });

/**
 * Validator for react-jsonschema-form, based on cfworker's json-schema. The library's usual validator ajv generates
 * code at run time, which the content security policy blocks. Findings have the API's wording, in the reader's
 * language.
 */
import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import { type RJSFSchema, type RJSFValidationError, toErrorSchema, type ValidatorType } from '@rjsf/utils';
import { ruleTexts } from '../problem/plain-rule.ts';

/** Keywords whose errors only repeat that a nested rule failed; such errors are ignored. */
const PARENTS: ReadonlySet<string> = new Set(['properties', 'items', '$ref', 'allOf', 'additionalProperties']);

const outcomesOf = (schema: RJSFSchema, data: unknown): OutputUnit[] =>
  new Validator(schema as Schema, '2020-12', false).validate(data ?? {}).errors;

const valueAt = (schema: RJSFSchema, location: string): unknown =>
  location
    .replace(/^#\/?/, '')
    .split('/')
    .filter((part) => part !== '')
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], schema);

const messageOf = (schema: RJSFSchema, { keyword, keywordLocation }: OutputUnit): string => {
  const limit = String(valueAt(schema, keywordLocation));
  const say = ruleTexts.say;
  if (keyword === 'minLength') return limit === '1' ? say('required') : say('least.characters', { a: limit });
  if (keyword === 'maxLength') return say('most.characters', { a: limit });
  if (keyword === 'minItems') return say('least.items', { a: limit });
  if (keyword === 'maxItems') return say('most.items', { a: limit });
  return say('invalid');
};

const MISSING = /"([^"]+)"/;

const errorOf = (schema: RJSFSchema, unit: OutputUnit): RJSFValidationError => {
  const parts = unit.instanceLocation
    .replace(/^#\/?/, '')
    .split('/')
    .filter((part) => part !== '');
  const isMissing = unit.keyword === 'required';
  const name = isMissing ? MISSING.exec(unit.error)?.[1] : undefined;
  const property = `.${[...parts, ...(name === undefined ? [] : [name])].join('.')}`;
  const message = isMissing ? ruleTexts.say('required') : messageOf(schema, unit);
  return { name: unit.keyword, property, message, stack: message };
};

const errorsOf = (schema: RJSFSchema, data: unknown): RJSFValidationError[] =>
  outcomesOf(schema, data)
    .filter(({ keyword }) => !PARENTS.has(keyword))
    .map((unit) => errorOf(schema, unit));

export const schemaValidator: ValidatorType = {
  isValid: (schema, data) => outcomesOf(schema, data).length === 0,
  rawValidation: (schema, data) => ({ errors: outcomesOf(schema, data) as never[] }),
  validateFormData: (data, schema) => {
    const errors = errorsOf(schema, data);
    return { errors, errorSchema: toErrorSchema(errors) };
  },
};

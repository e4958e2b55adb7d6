/**
 * The API names in one message every field it refuses and the rule ("credentials.rut must be a RUT; name is required",
 * shared/http/request/issues.ts): taken apart, so that each stands beside its field.
 */
import { ApiRefusal } from '../api/refusal.ts';
import { plainRule } from './plain-rule.ts';

export interface FieldFinding {
  /** `credentials.rut`, `event_types[0]`; empty for the body as a whole. */
  field: string;
  rule: string;
}

const FIELD = /^(?<field>[\w-]+(?:\.[\w?-]+|\[\d+\])*) (?<rule>.+)$/;
const WHOLE = new Set(['body', 'query', 'The', 'No', 'This', 'A', 'An']);
const REFUSED_INPUT = new Set([400, 422]);

export const readFindings = (error: unknown): FieldFinding[] => {
  if (!(error instanceof ApiRefusal) || !REFUSED_INPUT.has(error.status)) return [];
  return error.message.split('; ').map((text) => {
    const { field = '', rule = text } = FIELD.exec(text)?.groups ?? {};
    return WHOLE.has(field) ? { field: '', rule: text } : { field, rule: plainRule(rule) };
  });
};

/** What stands beside `field`, those of its parts included (`event_types[0]` beside `event_types`). */
export const findingAt = (findings: readonly FieldFinding[], field: string): string | undefined => {
  const own = findings.filter((each) => each.field === field || /^[.[]/.test(each.field.slice(field.length)));
  const rules = own.filter((each) => each.field.startsWith(field)).map(({ rule }) => rule);
  return rules.length === 0 ? undefined : [...new Set(rules)].join('; ');
};

/** Those that no field of the form shows: they belong above the form. */
export const findingsElsewhere = (findings: readonly FieldFinding[], fields: readonly string[]): FieldFinding[] =>
  findings.filter((finding) => !fields.some((field) => findingAt([finding], field) !== undefined));

/**
 * Splits the API's message for a refused request, so that each finding is shown next to its field. The message names
 * every refused field and its rule ("credentials.rut must be a RUT; name is required", shared/http/request/issues.ts).
 */
import { ApiRefusal } from '../api/refusal.ts';
import { inEnglish } from '../text/language.ts';
import { plainRule } from './plain-rule.ts';
import { refusalTexts } from './refusal-texts.ts';

export interface FieldFinding {
  /** Path such as `credentials.rut` or `event_types[0]`; empty for the whole body. */
  field: string;
  rule: string;
}

const FIELD = /^(?<field>[\w-]+(?:\.[\w?-]+|\[\d+\])*) (?<rule>.+)$/;
const WHOLE = new Set(['body', 'query', 'The', 'No', 'This', 'A', 'An']);
/** Codes whose message names fields. */
const NAMES_FIELDS: ReadonlySet<string> = new Set([
  'validation_error',
  'schedule_invalid_frequency',
  'sync_invalid_metadata',
  'sync_invalid_scopes',
]);

/** A finding of the whole request has no field, so its rule must be a sentence. */
const inWords = (text: string): string => inEnglish(text) ?? refusalTexts.say('validation_error');

export const readFindings = (error: unknown): FieldFinding[] => {
  if (!(error instanceof ApiRefusal) || !NAMES_FIELDS.has(error.code)) return [];
  return error.message.split('; ').map((text) => {
    const { field = '', rule = text } = FIELD.exec(text)?.groups ?? {};
    return WHOLE.has(field) ? { field: '', rule: inWords(text) } : { field, rule: plainRule(rule) };
  });
};

/**
 * Returns the findings for `field` as one text, including findings for its parts (`event_types[0]` for `event_types`).
 */
export const findingAt = (findings: readonly FieldFinding[], field: string): string | undefined => {
  const own = findings.filter((each) => each.field === field || /^[.[]/.test(each.field.slice(field.length)));
  const rules = own.filter((each) => each.field.startsWith(field)).map(({ rule }) => rule);
  return rules.length === 0 ? undefined : [...new Set(rules)].join(' ');
};

/** Returns the findings that no field of the form shows. The form shows these findings separately. */
export const findingsElsewhere = (findings: readonly FieldFinding[], fields: readonly string[]): FieldFinding[] =>
  findings.filter((finding) => !fields.some((field) => findingAt([finding], field) !== undefined));

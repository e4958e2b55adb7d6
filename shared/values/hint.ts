/**
 * Keys of the dashboard's help texts, as metadata of a schema. Published schemas do not contain them, because a strict
 * validator rejects a schema with an unknown keyword.
 */

export type HintKey =
  | 'person.rut'
  | 'register.or-login'
  | 'accounts.or-selected'
  | 'accounts.required'
  | 'statements.or-login'
  | 'codes.every-sync'
  | 'codes.this-sync'
  | 'days.first'
  | 'days.max'
  | 'months.first'
  | 'months.last'
  | 'own.reference'
  | 'own.company-rut'
  | 'own.company-name';

export interface Hint {
  key: HintKey;
  /** Number that the help text contains. */
  count?: number;
}

export const HINT = 'x-hint';

/** Metadata of a schema for one form field. */
export const hint = (key: HintKey, count?: number): { [HINT]: Hint } => ({
  [HINT]: { key, ...(count === undefined ? {} : { count }) },
});

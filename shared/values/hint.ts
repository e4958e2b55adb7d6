/** Keys of help texts in published schemas. The dashboard translates the keys; every other client may ignore them. */

export type HintKey =
  | 'person.rut'
  | 'register.or-login'
  | 'accounts.or-selected'
  | 'accounts.required'
  | 'statements.or-login'
  | 'codes.every-sync'
  | 'codes.this-sync'
  | 'days.max';

/** Returns the annotations of a JSON Schema property. `x-hint-count` is the number that the help text contains. */
export const hint = (key: HintKey, count?: number) => ({
  'x-hint': key,
  ...(count === undefined ? {} : { 'x-hint-count': count }),
});

/**
 * Explains a field of a source, by the text in the source's schema: fields with the same name differ between sources.
 */
import { defineTexts } from '../text/define-texts.ts';

export const hintTexts = defineTexts(
  'form-hint',
  {
    'person.rut': 'El mismo con el que entras al sitio de la institución.',
    'register.or-login': 'La empresa cuyo registro se lee. Si queda vacío, el RUT que inicia sesión.',
    'accounts.or-selected': 'La empresa cuyas cuentas se leen. Si queda vacío, la que el banco elige al entrar.',
    'accounts.required': 'La empresa cuyas cuentas se leen.',
    'statements.or-login': 'El RUT que las cartolas deben llevar. Si queda vacío, el que inicia sesión.',
    'codes.every-sync': 'Cada sincronización los actualiza. Escribe un código y presiona Enter.',
    'codes.this-sync': 'Los que se sincronizan ahora. Escribe un código y presiona Enter.',
    'days.max': 'Como máximo {{a}} días en total.',
    secret: 'Se guarda cifrado y nunca se vuelve a mostrar.',
  },
  {
    'person.rut': 'The one you use on the institution’s own site.',
    'register.or-login': 'The company whose register is read. When empty, the RUT that signs in.',
    'accounts.or-selected':
      'The company whose accounts are read. When empty, the one that the bank selects at sign-in.',
    'accounts.required': 'The company whose accounts are read.',
    'statements.or-login': 'The RUT that statements must name. When empty, the one that signs in.',
    'codes.every-sync': 'Every sync refreshes them. Type a code and press Enter.',
    'codes.this-sync': 'Those that are synchronized now. Type a code and press Enter.',
    'days.max': 'At most {{a}} days in all.',
    secret: 'Stored encrypted and never shown again.',
  },
);

/** Texts of the API's schemas. */
const PATTERNS: readonly [RegExp, keyof typeof hintTexts.es][] = [
  [/^RUT (?:of the person who|that) logs in$/, 'person.rut'],
  [/^RUT of the company whose register is read; absent: the one that logs in$/, 'register.or-login'],
  [/^RUT of the company whose accounts are read; absent: the one selected at login$/, 'accounts.or-selected'],
  [/^RUT of the company whose accounts are read$/, 'accounts.required'],
  [/^RUT that statements must name; absent: the one that logs in$/, 'statements.or-login'],
  [/^Tender codes that every sync refreshes$/, 'codes.every-sync'],
  [/^Tenders to synchronize\.$/, 'codes.this-sync'],
  [/\bat most (\d+) days in all\b/, 'days.max'],
];

/** Hint in the reader's language; undefined when there is no translation of the schema's text. */
export const hintOf = (said: string): string | undefined => {
  for (const [pattern, key] of PATTERNS) {
    const found = pattern.exec(said);
    if (found) return hintTexts.say(key, { a: found[1] ?? '' });
  }
  return undefined;
};

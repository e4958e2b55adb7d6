/** Help texts of form fields, by the key in the metadata of the source's schema (shared/values/hint.ts). */
import { HINTS } from '../connections/codes.gen.ts';
import { defineTexts } from '../text/define-texts.ts';

export const hintTexts = defineTexts(
  'form-hint',
  {
    'person.rut': 'El mismo con el que entras al sitio de la institución.',
    'register.or-login': 'La empresa cuyo registro se lee. Si queda vacío, el RUT que inicia sesión.',
    'accounts.or-selected': 'La empresa cuyas cuentas se leen. Si queda vacío, la que el banco elige al entrar.',
    'accounts.required': 'La empresa cuyas cuentas se leen.',
    'statements.or-login': 'El RUT que las cartolas deben llevar. Si queda vacío, el que inicia sesión.',
    'own.reference': 'Para reconocerla en tu sistema. Se muestra en la lista.',
    'own.company-rut': 'Para encontrar la conexión. Se muestra en la lista.',
    'own.company-name': 'Se muestra en la lista.',
    'codes.every-sync': 'Cada sincronización los actualiza. Escribe un código y presiona Enter.',
    'codes.this-sync': 'Los que se sincronizan ahora. Escribe un código y presiona Enter.',
    'days.first': 'Los dos días, o ninguno.',
    'days.max': 'Como máximo {{a}} días en total.',
    'months.first': 'Los dos meses, o ninguno.',
    'months.last': 'Los dos meses, o ninguno.',
    secret: 'Se guarda de forma cifrada y nunca se vuelve a mostrar.',
  },
  {
    'person.rut': 'The one you use on the institution’s own site.',
    'register.or-login': 'The company whose register is read. When empty, the RUT that signs in.',
    'accounts.or-selected':
      'The company whose accounts are read. When empty, the one that the bank selects at sign-in.',
    'accounts.required': 'The company whose accounts are read.',
    'statements.or-login': 'The RUT that statements must name. When empty, the one that signs in.',
    'own.reference': 'To recognize it in your system. Shown in the list.',
    'own.company-rut': 'To find the connection by. Shown in the list.',
    'own.company-name': 'Shown in the list.',
    'codes.every-sync': 'Every sync refreshes them. Type a code and press Enter.',
    'codes.this-sync': 'Those that are synchronized now. Type a code and press Enter.',
    'days.first': 'Both days, or neither.',
    'days.max': 'At most {{a}} days in all.',
    'months.first': 'Both months, or neither.',
    'months.last': 'Both months, or neither.',
    secret: 'Stored encrypted and never shown again.',
  },
);

const hints: Readonly<Record<string, { key: keyof typeof hintTexts.es; count?: number }>> = HINTS;

/**
 * Returns the help text in the reader's language; undefined for a field without a hint.
 * @param said the title or the description of the field's schema
 */
export const findHint = (said: string): string | undefined => {
  const found = hints[said];
  return found && hintTexts.say(found.key, { a: String(found.count ?? '') });
};

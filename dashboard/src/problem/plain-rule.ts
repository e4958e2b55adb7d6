/**
 * Translates rules of the API to sentences in the reader's language. An unknown rule is English, so a page in another
 * language only says that the value is not valid.
 */
import { defineTexts } from '../text/define-texts.ts';
import { inEnglish } from '../text/language.ts';

export const ruleTexts = defineTexts(
  'rule',
  {
    required: 'Falta este dato.',
    unknown: 'No es un campo conocido.',
    between: 'Debe estar entre {{a}} y {{b}}.',
    'least.characters': 'Debe tener al menos {{a}} caracteres.',
    'least.items': 'Elige al menos {{a}}.',
    'most.characters': 'Debe tener como máximo {{a}} caracteres.',
    'most.items': 'Como máximo {{a}}.',
    one: 'Debe ser uno de: {{a}}.',
    string: 'Debe ser un texto.',
    invalid: 'No es válido.',
    rut: 'Debe ser un RUT con su dígito verificador correcto.',
    together: 'Va junto con {{a}}: completa los dos.',
    'order.months': 'No puede ser posterior al otro extremo.',
    span: 'El tramo puede abarcar como máximo {{a}}.',
    tender: 'Debe ser un código de licitación.',
    future: 'Debe estar en el futuro.',
    instant: 'Debe ser una fecha con hora.',
    day: 'Debe ser una fecha que exista (AAAA-MM-DD).',
    period: 'Debe ser un mes (AAAA-MM).',
    order: 'No puede ser posterior a la fecha final.',
    repeated: 'No puede repetir un tipo de evento.',
    https: 'Debe ser una dirección https.',
    port: 'Debe tener un puerto de {{a}} como máximo.',
    'https.plain': 'Debe ser una dirección https sin usuario ni fragmento (#).',
    public: 'Debe llevar a internet pública.',
  },
  {
    required: 'This is missing.',
    unknown: 'This is not a known field.',
    between: 'This must be between {{a}} and {{b}}.',
    'least.characters': 'This must have at least {{a}} characters.',
    'least.items': 'Choose at least {{a}}.',
    'most.characters': 'This must have at most {{a}} characters.',
    'most.items': 'At most {{a}}.',
    one: 'This must be one of: {{a}}.',
    string: 'This must be a text.',
    invalid: 'This is not valid.',
    rut: 'This must be a RUT with its right check digit.',
    together: 'Goes together with {{a}}: fill in both.',
    'order.months': 'This must not be after the other end.',
    span: 'This must span at most {{a}}.',
    tender: 'This must be a tender code.',
    future: 'This must be in the future.',
    instant: 'This must be a date with its time.',
    day: 'This must be a date that exists (YYYY-MM-DD).',
    period: 'This must be a month (YYYY-MM).',
    order: 'This must not be after the last day.',
    repeated: 'This must not repeat an event type.',
    https: 'This must be an https address.',
    port: 'This must have a port of at most {{a}}.',
    'https.plain': 'This must be an https address without user and fragment (#).',
    public: 'This must lead to the public internet.',
  },
);

const PATTERNS: readonly [RegExp, keyof typeof ruleTexts.es][] = [
  [/^is required$/, 'required'],
  [/^must be a RUT with a valid check digit$/, 'rut'],
  [/^and (\w+) go together$/, 'together'],
  [/^must not be after to_period$/, 'order.months'],
  [/^must span at most (.+)$/, 'span'],
  [/^must be a tender code$/, 'tender'],
  [/^is not a known property(?:\. Known: .+)?$/, 'unknown'],
  [/^must be between (\S+) and (\S+)$/, 'between'],
  [/^must have at least (\d+) characters$/, 'least.characters'],
  [/^must have at least (\d+) items$/, 'least.items'],
  [/^must have at most (\d+) characters$/, 'most.characters'],
  [/^must have at most (\d+) items$/, 'most.items'],
  [/^must be one of (.+)$/, 'one'],
  [/^must be a string$/, 'string'],
  [/^is not valid$/, 'invalid'],
  [/^must be in the future$/, 'future'],
  [/^must be an ISO 8601 date-time/, 'instant'],
  [/^must be a date of the form/, 'day'],
  [/^must be a period of the form/, 'period'],
  [/^must not be after to$/, 'order'],
  [/^must not repeat an event type$/, 'repeated'],
  [/^must be an https URL$/, 'https'],
  [/^must be an https URL without user info and fragment$/, 'https.plain'],
  [/^must have a port of at most (\d+)$/, 'port'],
  [/^must lead to the public internet$/, 'public'],
];

export const plainRule = (rule: string): string => {
  for (const [pattern, key] of PATTERNS) {
    const [match, a = '', b = ''] = pattern.exec(rule) ?? [];
    if (match !== undefined) return ruleTexts.say(key, { a, b });
  }
  return inEnglish(`This ${rule}.`) ?? ruleTexts.say('invalid');
};

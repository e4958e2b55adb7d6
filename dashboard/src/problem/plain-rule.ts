/**
 * Translates rules of the API to the reader's language. An unknown rule is English, so another page only says that the
 * value is not valid.
 */
import { defineTexts } from '../text/define-texts.ts';
import { inEnglish } from '../text/language.ts';

export const ruleTexts = defineTexts(
  'rule',
  {
    required: 'falta',
    unknown: 'no es un campo conocido',
    between: 'debe estar entre {{a}} y {{b}}',
    'least.characters': 'debe tener al menos {{a}} caracteres',
    'least.items': 'elige al menos {{a}}',
    'most.characters': 'debe tener como máximo {{a}} caracteres',
    'most.items': 'como máximo {{a}}',
    one: 'debe ser uno de: {{a}}',
    string: 'debe ser un texto',
    invalid: 'no es válido',
    rut: 'debe ser un RUT con su dígito verificador correcto',
    together: 'y {{a}} van juntos: completa los dos',
    'order.months': 'no puede ser posterior al otro extremo',
    span: 'el tramo puede abarcar como máximo {{a}}',
    tender: 'debe ser un código de licitación',
    future: 'debe estar en el futuro',
    instant: 'debe ser una fecha con hora',
    day: 'debe ser una fecha que exista (AAAA-MM-DD)',
    period: 'debe ser un mes (AAAA-MM)',
    order: 'no puede ser posterior a la fecha final',
    repeated: 'no puede repetir un tipo de evento',
    https: 'debe ser una dirección https',
    port: 'debe tener un puerto de {{a}} como máximo',
    'https.plain': 'debe ser una dirección https sin usuario ni fragmento (#)',
    public: 'debe llevar a internet pública',
  },
  {
    required: 'is missing',
    unknown: 'is not a known field',
    between: 'must be between {{a}} and {{b}}',
    'least.characters': 'must have at least {{a}} characters',
    'least.items': 'choose at least {{a}}',
    'most.characters': 'must have at most {{a}} characters',
    'most.items': 'at most {{a}}',
    one: 'must be one of: {{a}}',
    string: 'must be a text',
    invalid: 'is not valid',
    rut: 'must be a RUT with its right check digit',
    together: 'and {{a}} go together: fill in both',
    'order.months': 'must not be after the other end',
    span: 'must span at most {{a}}',
    tender: 'must be a tender code',
    future: 'must be in the future',
    instant: 'must be a date with its time',
    day: 'must be a date that exists (YYYY-MM-DD)',
    period: 'must be a month (YYYY-MM)',
    order: 'must not be after the last day',
    repeated: 'must not repeat an event type',
    https: 'must be an https address',
    port: 'must have a port of at most {{a}}',
    'https.plain': 'must be an https address without user and fragment (#)',
    public: 'must lead to the public internet',
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
  return inEnglish(rule) ?? ruleTexts.say('invalid');
};

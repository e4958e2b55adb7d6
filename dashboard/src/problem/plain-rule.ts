/** Rules of the API in the reader's language. One that is not known stays as the API says it. */
import { defineTexts } from '../text/define-texts.ts';

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
  },
);

const PATTERNS: readonly [RegExp, keyof typeof ruleTexts.es][] = [
  [/^is required$/, 'required'],
  [/^is not a known property$/, 'unknown'],
  [/^must be between (\S+) and (\S+)$/, 'between'],
  [/^must have at least (\d+) characters$/, 'least.characters'],
  [/^must have at least (\d+) items$/, 'least.items'],
  [/^must have at most (\d+) characters$/, 'most.characters'],
  [/^must have at most (\d+) items$/, 'most.items'],
  [/^must be one of (.+)$/, 'one'],
  [/^must be a string$/, 'string'],
  [/^is not valid$/, 'invalid'],
];

export const plainRule = (rule: string): string => {
  for (const [pattern, key] of PATTERNS) {
    const [match, a = '', b = ''] = pattern.exec(rule) ?? [];
    if (match !== undefined) return ruleTexts.say(key, { a, b });
  }
  return rule;
};

/** The words of a line of totals. */
import { dataTexts } from '../texts.ts';
import { choiceWord } from '../words.ts';
import type { TotalLine } from './total-lines.ts';

/** Returns the values of the line's group in words, such as `Emitido · Registrado`. */
export const lineWords = ({ group }: TotalLine, scope: string): string =>
  Object.entries(group)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => choiceWord(name, value, scope))
    .join(' · ') || dataTexts.say('totals.all');

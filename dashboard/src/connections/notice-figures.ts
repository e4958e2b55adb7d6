/** Figures of a notice in the reader's words. */
import type { Schemas } from '../api/client.ts';
import { plainDay } from '../data/shown-value.ts';
import { choiceWord } from '../data/words.ts';
import { count, money } from '../text/format.ts';
import { month } from '../text/month.ts';
import { causeTexts } from './cause-texts.ts';

type Params = NonNullable<Schemas['ScopeNotice']['params']>;

const say: typeof causeTexts.say = (key, values) => causeTexts.say(key, values);

const countInWords = ({ count: some, total }: Params): string[] => {
  if (some === undefined) return [];
  return [total === undefined ? count(some) : say('figures.of', { count: count(some), total: count(total) })];
};

const gap = ({ stops_at: from, resumes_at: to }: Params): string[] =>
  from === undefined || to === undefined ? [] : [say('figures.gap', { from: money(from), to: money(to) })];

/** Returns for example `nov 2026 · cuenta 0012 · 3 de 10`; null if there is no figure. */
export const listFigures = (params: Params | undefined): string | null => {
  if (params === undefined) return null;
  const { period, periods = [], since, tender, account, document_type: type, direction, file } = params;
  const parts = [
    ...[period ?? [], periods].flat().map(month),
    ...(tender === undefined ? [] : [tender]),
    ...(direction === undefined ? [] : [choiceWord('direction', direction)]),
    ...(type === undefined ? [] : [say('figures.type', { type: choiceWord('document_type', type) })]),
    ...(account === undefined ? [] : [say('figures.account', { account })]),
    ...(since === undefined ? [] : [say('figures.since', { day: plainDay(since) })]),
    ...(file === undefined ? [] : [`«${file}»`]),
    ...countInWords(params),
    ...gap(params),
  ];
  return parts.length === 0 ? null : parts.join(' · ');
};

/** The source and the scopes of a history. */
import { type Random, randomFrom } from '#test/helpers/random.ts';
import type { Cast, Theme } from './theme.ts';

/** Scopes of one source: documents that move, sums per day, statements that close, observations. */
const CASTS: readonly Cast[] = [
  ['tax', ['rcv', 'boletas']],
  ['tax', ['rcv']],
  ['bankone', ['movements', 'balances']],
  ['bankone', ['transfers', 'movements']],
];

const BANKS = ['bankone', 'banktwo', 'bankthree'] as const;
/** Every bank has these scopes. Their definitions differ. */
const OF_EVERY_BANK: readonly string[] = ['movements', 'balances'];

/**
 * Gives a bank's part to one of the three banks, drawn from its own seed so that other histories stay the same. Pace is
 * checked at banks that allow one session.
 */
const recast = ([source, names]: Cast, seed: number, isPaced: boolean): Cast => {
  if (source !== 'bankone' || !names.every((name) => OF_EVERY_BANK.includes(name))) return [source, names];
  const bank = randomFrom(seed ^ 0xba4c).pick(BANKS);
  return [isPaced && bank === 'banktwo' ? source : bank, names];
};

export const drawCast = (theme: Theme | undefined, random: Random, seed: number): Cast =>
  recast(theme?.cast ?? random.pick(CASTS), seed, theme?.pace !== undefined);

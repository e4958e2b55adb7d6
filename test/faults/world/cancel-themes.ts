/** Steered histories whose runs are cancelled after they removed rows and before they end. */
import { AT_ONCE, aim, LATER, QUIET, type Theme } from './theme.ts';

export const CANCEL_THEMES: readonly Theme[] = [
  {
    name: 'a run is cancelled while a month closes',
    cast: ['bankone', ['movements']],
    faults: { ...QUIET, rate: 0, left: 2, aims: [aim(/GONE#/, 0.3, ['die-after', 'stall', 'freeze'])] },
    endpoints: 0,
    acts: [
      ...Array.from({ length: 5 }, () => ['add', AT_ONCE] as const),
      ['sync', [100_000]],
      ...Array.from({ length: 4 }, () => ['close', AT_ONCE] as const),
      ['sync', [400, 800, 1_500, 3_000, 6_000, 12_000]],
      ['cancel-newest', LATER],
      ['sync', LATER],
    ],
  },
];

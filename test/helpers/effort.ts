/**
 * Long tests run completely in CI and with `CI=true`, and in part elsewhere: always the same part, so that local runs
 * are repeatable.
 */
import { env } from 'node:process';

export const IS_WHOLE = Boolean(env.CI);

const LOCAL_PART = 0.1;
const RUNS_MIN = 10;

/**
 * Number of runs of a property: `FC_RUNS` times the full number (1: the full number, 20: a long search), or a tenth
 * locally.
 */
export const runs = (whole: number): number => {
  const factor = Number(env.FC_RUNS ?? (IS_WHOLE ? 1 : LOCAL_PART));
  if (!(factor > 0)) throw new Error(`FC_RUNS is no factor: ${env.FC_RUNS}`);
  return Math.max(Math.min(RUNS_MIN, whole), Math.round(whole * factor));
};

/** Every n-th of the cases; all of them in a full run. */
export const sampled = <Case>(cases: readonly Case[], every: number): readonly Case[] =>
  IS_WHOLE ? cases : cases.filter((_, at) => at % every === 0);

/** Step of a loop over the calls at which a worker dies: each call in CI, every n-th locally. */
export const stride = (local: number): number => (IS_WHOLE ? 1 : local);

/**
 * Raw answers of one scope as a sync would store them, without the engine: of the newest closed month, or of every
 * tender.
 */

import { nowMs } from '#shared/platform/clock.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { createRedactor } from '#shared/sources/http/redactor.ts';
import type { AskSource, JsonObject, PullRequest, RawAnswer, SourceIo } from '#shared/sources/source.ts';
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import type { Story } from '#test/helpers/source-story.ts';

/** The story's adapter replaces these with its own settings and clock. */
const io: SourceIo = {
  redactor: createRedactor(),
  settings: {
    baseUrl: undefined,
    pace: { callDelayMs: 0, callsMax: 0, windowMs: 0 },
    callTimeoutMs: 0,
    downloadTimeoutMs: 0,
  },
  now: nowMs,
  wait: async () => {},
  turn: async () => {},
  signal: new AbortController().signal,
  login: (request) => request(),
};

const keep =
  (kept: Map<string, RawAnswer>): AskSource =>
  async (key, fetch) => {
    const known = kept.get(key) ?? { key, ...(await fetch()) };
    kept.set(key, known);
    return known;
  };

export interface AnsweredUnit {
  request: PullRequest;
  answers: RawAnswer[];
}

export const collectAnswers = async (story: Story, scope: ScopeDefinition): Promise<AnsweredUnit[]> => {
  const { adapter, entry } = story;
  const credentials: JsonObject = { ...entry.credentials };
  const lastMonth = addMonths(santiagoPeriod(nowMs()), -1);
  const request: PullRequest = {
    scope: scope.name,
    period: scope.periodic ? lastMonth : null,
    credentials,
    metadata: entry.metadata,
    input: {},
  };
  const codigos = (entry.metadata.codigos ?? []) as string[];
  const requests = adapter.tenders ? codigos.map((tender) => ({ ...request, tender })) : [request];
  const session = await adapter.connect({ credentials, metadata: entry.metadata }, io);
  try {
    const units: AnsweredUnit[] = [];
    for (const each of requests) {
      const kept = new Map<string, RawAnswer>();
      await adapter.pull(each, { session, ask: keep(kept), io, progress: () => {} });
      units.push({ request: each, answers: [...kept.values()] });
    }
    return units;
  } finally {
    await adapter.disconnect(session, io);
  }
};

/**
 * An organization whose institutions are simulated and whose data came from real syncs, and a scripted agent that reads
 * them. For questions whose answers the institutions also know.
 */
import { plantClock } from '#shared/platform/clock.ts';
import { connectAgent, type Structured, useAgentOrigin } from './agent-client.ts';
import { type Agent, agentOf } from './agent-questions.ts';
import { keyOf } from './callers.ts';
import { loadSources, type SourceFolder } from './source-folders.ts';
import { type Story, startStory } from './source-story.ts';
import { type SourceWorld, startSourceWorld } from './source-world.ts';

/** 01:00 in Santiago: the institutions change nothing for seven hours. */
const STARTS_AT = '2026-11-21T04:00:00.000Z';
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
export const CLOSED = '2026-10';
export const OPEN = '2026-11';
export const PERIODS = ['2026-09', CLOSED, OPEN];

export interface AccountantWorld {
  /** An agent with its own credential and minute. */
  newAgent(): Promise<Agent>;
  /** The institution's ledger: scope → month, or `now`, → count, sums and their parts. */
  ledger(source: string): Promise<Structured>;
  story(source: string): Story;
  stop(): Promise<void>;
}

interface Wanted {
  /** Source → behaviours of the credentials that are connected; the first of each works. */
  connected: Readonly<Record<string, readonly string[]>>;
}

const storyOf = (folder: SourceFolder, behaviour: string): Promise<Story> => {
  const entry = folder.credentials.find((each) => each.behaviour === behaviour);
  if (!entry) throw new Error(`${folder.code} has no login that is ${behaviour}`);
  return startStory(folder, entry);
};

export const startAccountantWorld = async ({ connected }: Wanted): Promise<AccountantWorld> => {
  useAgentOrigin();
  const folders = (await loadSources([])).filter(({ code }) => code in connected);
  const world: SourceWorld = await startSourceWorld(folders, { table: 'quick', startsAt: STARTS_AT });
  const stories = new Map<string, Story[]>();
  let organizationId: string | undefined;
  for (const folder of folders)
    for (const behaviour of connected[folder.code]!) {
      const story = await storyOf(folder, behaviour);
      stories.set(folder.code, [...(stories.get(folder.code) ?? []), story]);
      const connection = await world.connect(story, organizationId);
      organizationId = connection.organizationId;
      await world.start(connection, { periods: PERIODS });
    }
  await world.drain();
  let minute = 0;
  return {
    newAgent: async () => {
      const atMs = Date.parse(STARTS_AT) + HOUR_MS + MINUTE_MS * ++minute;
      plantClock(() => atMs);
      return agentOf(await connectAgent((await keyOf(organizationId!)).token, '2026-07-28'));
    },
    story: (source) => stories.get(source)![0]!,
    ledger: (source) => stories.get(source)![0]!.ledger(),
    stop: async () => {
      await Promise.all([...stories.values()].flat().map((story) => story.close()));
      await world.stop();
    },
  };
};

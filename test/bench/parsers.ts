/**
 * `npm run bench:parsers [source…]`: how many rows a second one core parses and checks, for every scope, from what the
 * sandbox answers for a large month; beside the time that reading those bytes takes. Ends with 1 when a scope is slower
 * than 20,000 rows a second.
 */
import { randomUUID } from 'node:crypto';
import { newRow } from '#shared/data/row-items.ts';
import type { Collected } from '#shared/engine/answers.ts';
import { parseAnswers } from '#shared/engine/read-answers.ts';
import { nowIso } from '#shared/platform/clock.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { PullRequest } from '#shared/sources/source.ts';
import { loadSources, type SourceFolder } from '#test/helpers/source-folders.ts';
import { type Story, startStory } from '#test/helpers/source-story.ts';
import { collectAnswers } from './collect-answers.ts';

const ROWS_PER_SECOND_MIN = 20_000;
/** Parsing is repeated for so long, and the fastest round counts: the machine may be busy. */
const MEASURE_MS = 2_000;
const BATCH_MS = 300;
const never = new AbortController().signal;

interface Unit {
  request: PullRequest;
  collected: Collected[];
}

/** Milliseconds that this thread computed: whoever else uses the machine does not count. */
const computedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Of one round. Rounds come in batches, since the system counts a thread's time in steps of milliseconds. */
const fastest = async (work: () => unknown): Promise<number> => {
  const firstMs = performance.now();
  await work();
  const rounds = Math.max(1, Math.ceil(BATCH_MS / (performance.now() - firstMs)));
  let best = Number.POSITIVE_INFINITY;
  const endMs = performance.now() + MEASURE_MS;
  do {
    const startedMs = computedMs();
    for (let round = 0; round < rounds; round++) await work();
    best = Math.min(best, (computedMs() - startedMs) / rounds);
  } while (performance.now() < endMs);
  return best;
};

const parseAll = async (story: Story, scope: ScopeDefinition, units: readonly Unit[], store: boolean) => {
  const connectionId = randomUUID();
  let rows = 0;
  for (const { request, collected } of units)
    await parseAnswers(story.folder.source, scope, request, collected, never, ({ row, raw, answerId }) => {
      rows++;
      if (store) newRow(connectionId, scope, row, raw, answerId);
    });
  return rows;
};

/** What any reader of these bytes pays: decoding them to text. */
const readAll = (units: readonly Unit[]): number => {
  let chars = 0;
  for (const { collected } of units)
    for (const { answer } of collected) chars += new TextDecoder('latin1').decode(answer.body).length;
  return chars;
};

const measure = async (story: Story, scope: ScopeDefinition) => {
  const units = (await collectAnswers(story, scope)).map(({ request, answers }) => ({
    request,
    collected: answers.map((answer) => ({ answer, id: randomUUID(), at: nowIso() })),
  }));
  const bytes = units.flatMap(({ collected }) => collected).reduce((sum, { answer }) => sum + answer.body.length, 0);
  const rows = await parseAll(story, scope, units, false);
  const parseMs = await fastest(() => parseAll(story, scope, units, false));
  const storeMs = await fastest(() => parseAll(story, scope, units, true));
  const readMs = await fastest(() => readAll(units));
  return { rows, bytes, parseMs, storeMs, readMs };
};

const perSecond = (rows: number, ms: number): number => Math.round((rows / ms) * 1000);

const benchSource = async (folder: SourceFolder) => {
  const large = folder.credentials.find(({ behaviour }) => behaviour === 'large') ?? folder.credentials[0]!;
  const story = await startStory(folder, large);
  try {
    const lines: Record<string, object> = {};
    for (const scope of folder.scopes) {
      const { rows, bytes, parseMs, storeMs, readMs } = await measure(story, scope);
      lines[`${folder.code}.${scope.name}`] = {
        rows,
        KB: Math.round(bytes / 1000),
        'rows/s parsed and checked': perSecond(rows, parseMs),
        'rows/s ready to be stored': perSecond(rows, storeMs),
        'ms parsing': Number(parseMs.toFixed(2)),
        'ms reading the bytes': Number(readMs.toFixed(3)),
        ratio: Math.round(parseMs / readMs),
        verdict: rows > 0 && perSecond(rows, parseMs) >= ROWS_PER_SECOND_MIN ? 'ok' : 'too slow',
      };
    }
    return lines;
  } finally {
    await story.close();
  }
};

const lines: Record<string, object> = {};
for (const folder of await loadSources(process.argv.slice(2))) Object.assign(lines, await benchSource(folder));
console.table(lines);
process.exitCode = Object.values(lines).every((line) => (line as { verdict: string }).verdict === 'ok') ? 0 : 1;

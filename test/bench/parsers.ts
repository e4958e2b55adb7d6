/**
 * `npm run bench:parsers [-- source…]`: how many rows per second one core parses and checks, for every scope, from the
 * sandbox's answers for a large month; compared with the floor. docs/performance.md explains the columns.
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { nowIso } from '#shared/platform/clock.ts';
import { newRow } from '#shared/rows/item/row-items.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { PullRequest } from '#shared/sources/source.ts';
import type { CollectedAnswer } from '#shared/sync/reading/answer-packs.ts';
import { parseAnswers } from '#shared/sync/reading/parse-answers.ts';
import { loadSources, type SourceFolder } from '#test/helpers/source-folders.ts';
import { type Story, startStory } from '#test/helpers/source-story.ts';
import { collectAnswers } from './collect-answers.ts';
import { fastest } from './fastest.ts';
import { formatOf, readOnly, textOf } from './floor.ts';

const ROWS_PER_SECOND_MIN = 20_000;
/** Pages of the portal hold so few rows that only reading their tags takes longer than that (docs/performance.md). */
const TIMES_FLOOR_MAX = 3;

const HELP = `npm run bench:parsers [-- source…]

Rows per second that one core parses and checks, for every scope of the named sources (all when none is named).
Ends with 1 when a scope is slower than ${ROWS_PER_SECOND_MIN} rows/s and takes more than ${TIMES_FLOOR_MAX} times the floor: what the
same library takes to read the same bytes and make nothing of them.`;

const never = new AbortController().signal;

interface Unit {
  request: PullRequest;
  collected: CollectedAnswer[];
}

const parseAll = async (story: Story, scope: ScopeDefinition, units: readonly Unit[], store: boolean) => {
  const connectionId = randomUUID();
  let rows = 0;
  for (const { request, collected } of units)
    await parseAnswers(
      { source: story.folder.source, scope, signal: never },
      request,
      collected,
      ({ row, raw, answerId }) => {
        rows++;
        if (store) newRow(connectionId, scope, { row, raw, answerId });
      },
    );
  return rows;
};

const bodiesOf = (units: readonly Unit[]): Uint8Array[] =>
  units.flatMap(({ collected }) => collected.map(({ answer }) => answer.body));

const perSecond = (count: number, ms: number): number => Math.round((count / ms) * 1000);

/** Measures one scope: a row of the table. */
const measure = async (story: Story, scope: ScopeDefinition) => {
  const units = (await collectAnswers(story, scope)).map(({ request, answers }) => ({
    request,
    collected: answers.map((answer) => ({ answer, id: randomUUID(), at: nowIso() })),
  }));
  const bodies = bodiesOf(units);
  const texts = bodies.map(textOf);
  const chars = texts.reduce((sum, text) => sum + text.length, 0);
  const rows = await parseAll(story, scope, units, false);
  const ms = await fastest({
    parse: () => parseAll(story, scope, units, false),
    store: () => parseAll(story, scope, units, true),
    floor: () => bodies.forEach(readOnly),
    decode: () => bodies.forEach(textOf),
  });
  const speed = perSecond(rows, ms.parse);
  const timesFloor = ms.parse / ms.floor;
  const isFast = speed >= ROWS_PER_SECOND_MIN;
  return {
    rows,
    read: [...new Set(texts.map(formatOf))].join('+'),
    KB: Math.round(chars / 1000),
    'rows/s': speed,
    'rows/s stored': perSecond(rows, ms.store),
    'rows/s floor': perSecond(rows, ms.floor),
    'MB/s': Number((chars / 1000 / ms.parse).toFixed(1)),
    'ms parsing': Number(ms.parse.toFixed(3)),
    'ms floor': Number(ms.floor.toFixed(3)),
    'ms decoding': Number(ms.decode.toFixed(3)),
    '× floor': Number(timesFloor.toFixed(1)),
    verdict: rows > 0 && isFast ? 'ok' : rows > 0 && timesFloor <= TIMES_FLOOR_MAX ? 'ok by floor' : 'too slow',
  };
};

const benchSource = async (folder: SourceFolder) => {
  const large = folder.credentials.find(({ behaviour }) => behaviour === 'large') ?? folder.credentials[0]!;
  const story = await startStory(folder, large);
  try {
    const lines: Record<string, Awaited<ReturnType<typeof measure>>> = {};
    for (const scope of folder.scopes) lines[`${folder.code}.${scope.name}`] = await measure(story, scope);
    return lines;
  } finally {
    await story.close();
  }
};

const { values, positionals } = parseArgs({ options: { help: { type: 'boolean' } }, allowPositionals: true });
if (values.help) console.log(HELP);
else {
  const lines: Awaited<ReturnType<typeof benchSource>> = {};
  for (const folder of await loadSources(positionals)) Object.assign(lines, await benchSource(folder));
  console.table(lines);
  process.exitCode = Object.values(lines).every(({ verdict }) => verdict.startsWith('ok')) ? 0 : 1;
}

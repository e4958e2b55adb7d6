/** `npm run faults`: HELP below explains its purpose. */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type Kind, RUNNERS } from './kinds.ts';
import type { Tally } from './run-histories.ts';
import { drawTheme } from './world/themes.ts';

const HELP = `npm run faults [-- --grants | --lists] [-- --histories N] [-- --seed S] [-- --theme TEXT] [-- --replay S]

The engine, webhooks and purge under seeded crashes, lost, doubled and late messages, failing calls, long pauses, clocks
that differ and failing sources and receivers, over a simulated table. Ends with 1 when an invariant was violated.

  --grants        grants of applications in place of the engine: consents, codes, refreshes, revocations, uses and thieves
  --lists         lists of connections in place of the engine: readers, snapshots, and all that changes connections
  --histories N   how many to live, one for each seed (1000); each takes up to a tenth of a CPU second
  --seed S        the first seed (1)
  --theme TEXT    only those of the seeds whose theme has this text in its name
  --replay S      lives the history of one seed and tells it`;

const SHOWN_MAX = 20;

interface Share {
  kind: Kind;
  /** Text in the name of the theme; empty for all histories. */
  theme: string;
  from: number;
  to: number;
  step: number;
}

function* seedsOf({ theme, from, to, step }: Share): Generator<number> {
  for (let seed = from; seed < to; seed += step) if (theme === '' || drawTheme(seed)?.name.includes(theme)) yield seed;
}

const live = async (share: Share, tell = false): Promise<Tally> =>
  (await RUNNERS[share.kind]())(seedsOf(share), { tell });

const inThread = (share: Share): Promise<Tally> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: share });
    thread.once('message', resolve);
    thread.once('error', reject);
  });

const print = (tally: Tally, seeds: string, kind: Kind): void => {
  const { histories, steps, faults, runs, changes, attempts, broken } = tally;
  const ended = Object.entries(runs)
    .sort()
    .map(([status, count]) => `${count} ${status}`);
  console.log(`histories   ${histories}, seeds ${seeds}`);
  console.log(`steps       ${steps}`);
  console.log(`faults      ${faults}`);
  console.log(`${kind === 'engine' ? 'runs        ' : 'acts        '}${ended.join(', ')}`);
  console.log(`${kind === 'grants' ? 'ended       ' : 'attempts    '}${attempts}`);
  const changed = Object.entries(changes).sort();
  if (changed.length > 0)
    console.log(`changes     ${changed.map(([action, count]) => `${count} ${action}`).join(', ')}`);
  console.log(`violations  ${broken.length}`);
  for (const { seed, violations, story } of broken.slice(0, SHOWN_MAX)) {
    console.log(`\nseed ${seed} (npm run faults -- ${kind === 'engine' ? '' : `--${kind} `}--replay ${seed})`);
    for (const line of [...story, ...violations]) console.log(`  ${line}`);
  }
};

const sumOf = (one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => [
      name,
      (one[name] ?? 0) + (other[name] ?? 0),
    ]),
  );

const add = (tallies: readonly Tally[]): Tally =>
  tallies.reduce((sum, one) => ({
    histories: sum.histories + one.histories,
    steps: sum.steps + one.steps,
    faults: sum.faults + one.faults,
    attempts: sum.attempts + one.attempts,
    runs: sumOf(sum.runs, one.runs),
    changes: sumOf(sum.changes, one.changes),
    broken: [...sum.broken, ...one.broken],
  }));

/** @throws Error unless the text is a positive integer: zero histories would find no violation. */
const whole = (option: string, text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${option} ${text}: say a positive whole number`);
  return Number(text);
};

if (!isMainThread) {
  parentPort!.postMessage(await live(workerData as Share));
} else {
  const { values } = parseArgs({
    options: {
      histories: { type: 'string', default: '1000' },
      seed: { type: 'string' },
      replay: { type: 'string' },
      theme: { type: 'string', default: '' },
      grants: { type: 'boolean', default: false },
      lists: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { theme } = values;
  const kind: Kind = values.grants ? 'grants' : values.lists ? 'lists' : 'engine';
  if (values.help) {
    console.log(HELP);
  } else if (values.replay !== undefined) {
    const seed = whole('replay', values.replay);
    const tally = await live({ kind, theme: '', from: seed, to: seed + 1, step: 1 }, true);
    print(tally, `${seed} to ${seed}`, kind);
    process.exitCode = tally.broken.length > 0 ? 1 : 0;
  } else {
    const from = whole('seed', values.seed ?? '1');
    const step = availableParallelism();
    const to = from + whole('histories', values.histories);
    const shares = Array.from({ length: step }, (_, n) => ({ kind, theme, from: from + n, to, step }));
    const tally = add(await Promise.all(shares.map(inThread)));
    print(tally, `${from} to ${to - 1}`, kind);
    process.exitCode = tally.broken.length > 0 ? 1 : 0;
  }
}

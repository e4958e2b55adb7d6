/** `npm run faults:mutants`: HELP below explains its purpose. */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { RUNNERS } from '../kinds.ts';
import type { Broken } from '../run-histories.ts';
import { drawTheme } from '../world/themes.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';
import { mutate } from './mutate.ts';

const HELP = `npm run faults:mutants [-- --histories N] [-- --seed S] [-- --only TEXTS]

Breaks one condition of the engine after the other, in memory, and lives histories until one of them is a violation.
Ends with 1 when a mutant survives or its text is not in the code any more. The history that caught a mutant last
(telling-seeds.json) is lived before the others.

  --histories N   how many a mutant is given at most (1500)
  --seed S        the first seed (1)
  --theme TEXT    only those of the seeds whose theme has this text in its name
  --only TEXTS    mutants whose name holds one of these texts, separated by commas
  --record        keeps which history caught each, as soon as it did`;

const TELLING_SEEDS = new URL('telling-seeds.json', import.meta.url);

interface Hunt {
  mutant: Mutant;
  from: number;
  histories: number;
  /** Text in the name of the theme; empty for all histories. */
  theme: string;
}

interface Catch {
  histories: number;
  caught: Broken | undefined;
}

const tellingSeeds = (): Record<string, number> => JSON.parse(readFileSync(TELLING_SEEDS, 'utf8'));

/** Written after each catch, because a search of all mutants takes long and may be ended. */
const record = (caught: string, seed: number): void => {
  const telling = { ...tellingSeeds(), [caught]: seed };
  const kept = MUTANTS.flatMap(({ name }) => (name in telling ? [[name, telling[name]]] : []));
  writeFileSync(TELLING_SEEDS, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
};

const hunt = async ({ mutant, from, histories, theme }: Hunt): Promise<Catch> => {
  mutate(mutant);
  const live = await RUNNERS[mutant.of ?? 'engine']();
  const seeds = Array.from({ length: histories }, (_, n) => from + n);
  const all = seeds.filter((seed) => theme === '' || drawTheme(seed)?.name.includes(theme));
  const telling = tellingSeeds()[mutant.name];
  const first = telling === undefined ? all : [telling, ...all.filter((seed) => seed !== telling)];
  const tally = await live(first, { untilBroken: true });
  return { histories: tally.histories, caught: tally.broken[0] };
};

const inThread = (task: Hunt): Promise<Catch | Error> =>
  new Promise((resolve) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: task });
    thread.once('message', resolve);
    thread.once('error', resolve);
  });

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const shortened = (violation: string): string => violation.split('\n')[0]!.replaceAll(UUID, '…').slice(0, 140);

const report = (name: string, end: Catch | Error): end is Catch & { caught: Broken } => {
  if (end instanceof Error) {
    console.log(`BROKEN    ${name}\n          ${end.message}`);
    return false;
  }
  const { histories, caught } = end;
  if (caught === undefined) console.log(`SURVIVED  ${name}: ${histories} histories`);
  else console.log(`caught    ${name}: seed ${caught.seed}, ${histories} lived, ${shortened(caught.violations[0]!)}`);
  return caught !== undefined;
};

const whole = (option: string, text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${option} ${text}: say a positive whole number`);
  return Number(text);
};

if (!isMainThread) {
  parentPort!.postMessage(await hunt(workerData as Hunt));
} else {
  const { values } = parseArgs({
    options: {
      histories: { type: 'string', default: '1500' },
      seed: { type: 'string', default: '1' },
      theme: { type: 'string', default: '' },
      only: { type: 'string', default: '' },
      record: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
  } else {
    const [from, histories] = [whole('seed', values.seed), whole('histories', values.histories)];
    const texts = values.only.split(',');
    const wanted = MUTANTS.filter(({ name }) => texts.some((text) => name.includes(text)));
    if (wanted.length === 0) throw new Error(`no mutant is named like "${values.only}"`);
    const left = [...wanted];
    const survivors: string[] = [];
    const lane = async (): Promise<void> => {
      for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
        const end = await inThread({ mutant, from, histories, theme: values.theme });
        if (!report(mutant.name, end)) survivors.push(mutant.name);
        else if (values.record) record(mutant.name, end.caught.seed);
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, lane));
    console.log(`\n${wanted.length - survivors.length} of ${wanted.length} mutants caught`);
    for (const name of survivors) console.log(`not caught: ${name}`);
    process.exitCode = survivors.length > 0 ? 1 : 0;
  }
}

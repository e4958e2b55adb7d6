/** `npm run faults:mutants`: HELP below says what it is for. */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Broken } from '../run-histories.ts';
import { MUTANTS, type Mutant } from './mutants.ts';
import { mutate } from './mutate.ts';

const HELP = `npm run faults:mutants [-- --histories N] [-- --seed S] [-- --only TEXT]

Breaks one condition of the engine after the other, in memory, and lives histories until one of them is a violation.
Ends with 1 when a mutant survives or its text is not in the code any more.

  --histories N   how many a mutant is given at most (1500)
  --seed S        the first seed (1)
  --only TEXT     mutants whose name holds this text`;

interface Hunt {
  mutant: Mutant;
  from: number;
  histories: number;
}

interface Catch {
  histories: number;
  caught: Broken | undefined;
}

const hunt = async ({ mutant, from, histories }: Hunt): Promise<Catch> => {
  mutate(mutant);
  const { runHistories } = await import('../run-histories.ts');
  const seeds = Array.from({ length: histories }, (_, n) => from + n);
  const tally = await runHistories(seeds, { untilBroken: true });
  return { histories: tally.histories, caught: tally.broken[0] };
};

const inThread = (work: Hunt): Promise<Catch | Error> =>
  new Promise((resolve) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: work });
    thread.once('message', resolve);
    thread.once('error', resolve);
  });

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const shortened = (violation: string): string => violation.split('\n')[0]!.replaceAll(UUID, '…').slice(0, 140);

const report = (name: string, end: Catch | Error): boolean => {
  if (end instanceof Error) {
    console.log(`BROKEN    ${name}\n          ${end.message}`);
    return false;
  }
  const { histories, caught } = end;
  if (caught === undefined) console.log(`SURVIVED  ${name}: ${histories} histories`);
  else console.log(`caught    ${name}: history ${histories}, ${shortened(caught.violations[0]!)}`);
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
      only: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
  } else {
    const [from, histories] = [whole('seed', values.seed), whole('histories', values.histories)];
    const wanted = MUTANTS.filter(({ name }) => name.includes(values.only));
    if (wanted.length === 0) throw new Error(`no mutant is named like "${values.only}"`);
    const left = [...wanted];
    const survivors: string[] = [];
    const lane = async (): Promise<void> => {
      for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift())
        if (!report(mutant.name, await inThread({ mutant, from, histories }))) survivors.push(mutant.name);
    };
    await Promise.all(Array.from({ length: availableParallelism() }, lane));
    console.log(`\n${wanted.length - survivors.length} of ${wanted.length} mutants caught`);
    for (const name of survivors) console.log(`not caught: ${name}`);
    process.exitCode = survivors.length > 0 ? 1 : 0;
  }
}

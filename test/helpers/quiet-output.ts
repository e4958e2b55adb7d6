/**
 * Prints the output of the code under test only for files with a failed test. The functions' logger writes to the
 * streams of the process, which vitest's `silent` does not cover.
 */
import { afterAll } from 'vitest';

type Write = typeof process.stdout.write;
type Task = { name: string; result?: { state: string } | undefined; tasks?: readonly Task[] };

interface Held {
  chunks: string[];
  print(): void;
}

const HELD = Symbol.for('test.held-output');
const shared = globalThis as { [HELD]?: Held };

/** Once per process, because the files of a project without isolation share it. */
const hold = (): Held => {
  const chunks: string[] = [];
  const write = process.stderr.write.bind(process.stderr) as Write;
  const held: Held = {
    chunks,
    print: () => {
      if (chunks.length > 0) write(chunks.join(''));
      chunks.length = 0;
    },
  };
  for (const stream of [process.stdout, process.stderr])
    stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
      chunks.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
      const done = rest.at(-1);
      if (typeof done === 'function') done();
      return true;
    }) as Write;
  // For a worker that ends in the middle of a file.
  process.once('exit', held.print);
  return held;
};

shared[HELD] ??= hold();
const held = shared[HELD];
// A file that could not be loaded has run no hook.
held.print();

const hasFailed = ({ result, tasks = [] }: Task): boolean => result?.state === 'fail' || tasks.some(hasFailed);

// biome-ignore lint/correctness/noEmptyPattern: vitest reads the pattern of the first parameter.
afterAll(({}, file) => {
  if (hasFailed(file)) held.print();
  else held.chunks.length = 0;
});

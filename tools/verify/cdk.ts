/** Runs the unmodified CDK command line against the emulator. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCOUNT, type Emulator, REGION } from './emulator.ts';
import { refuseElsewhere } from './loopback.ts';

const ROOT = join(import.meta.dirname, '../..');
const COMMAND = join(ROOT, 'node_modules/aws-cdk/bin/cdk');
const QUIET = ['--no-notices', '--ci', '--progress', 'events'];
const TAIL_LINES = 40;

/** Environment variables `VERIFY_…` that change the app in addition to its stage. */
type CdkContext = Readonly<Record<string, string>>;

export interface Cdk {
  /**
   * Runs a command and resolves with its output. Arguments in `words` that name another app or folder replace the
   * defaults.
   */
  run(words: readonly string[], settings?: CdkContext): Promise<string>;
  /**
   * Deploys all stacks of an assembly's folder, or of the app if no folder is given. Resolves with the outputs by
   * stack, and with the names of stacks that did not change.
   */
  deploy(assembly?: string): Promise<{ outputs: Record<string, Record<string, string>>; unchanged: string[] }>;
}

/**
 * @param sandboxes source code → base URL of its institution
 * @param folder folder for the assembly and the outputs
 */
export const cdkOn = (emulator: Emulator, sandboxes: Readonly<Record<string, string>>, folder: string): Cdk => {
  const environment = {
    ...process.env,
    ...emulator.environment,
    CDK_DEFAULT_ACCOUNT: ACCOUNT,
    CDK_DEFAULT_REGION: REGION,
    VERIFY_SANDBOXES: JSON.stringify(sandboxes),
  };

  // Returns an option with its value, or nothing if the caller's arguments already contain the option.
  const unless = (words: readonly string[], option: string, value: string): string[] =>
    words.includes(option) ? [] : [option, value];

  const run = async (words: readonly string[], settings: CdkContext = {}): Promise<string> => {
    refuseElsewhere('AWS_ENDPOINT_URL', emulator.environment.AWS_ENDPOINT_URL);
    const args = [
      ...words,
      ...unless(words, '--app', `${process.execPath} tools/verify/app.ts`),
      ...unless(words, '--output', join(folder, 'cdk.out')),
      ...unless(words, '--build', 'true'),
      ...QUIET,
    ];
    const child = spawn(process.execPath, [COMMAND, ...args], {
      cwd: ROOT,
      env: { ...environment, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
    const [code] = (await once(child, 'close')) as [number | null];
    const text = Buffer.concat(said).toString('utf8');
    if (code === 0) return text;
    throw new Error(`cdk ${words[0]} ended with ${code}:\n${text.split('\n').slice(-TAIL_LINES).join('\n')}`);
  };

  return {
    run,
    deploy: async (assembly) => {
      const outputsFile = join(folder, 'outputs.json');
      const words = ['deploy', '--all', '--require-approval', 'never', '--outputs-file', outputsFile];
      const text = await run([...words, ...(assembly === undefined ? [] : ['--app', assembly])]);
      const unchanged = [...text.matchAll(/✅\s+(\S+) \(no changes\)/g)].map(([, stack]) => stack!);
      return { outputs: JSON.parse(readFileSync(outputsFile, 'utf8')), unchanged };
    },
  };
};

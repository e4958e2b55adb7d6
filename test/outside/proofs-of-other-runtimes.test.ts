/**
 * Proofs by programs from other registries: if a program is not available, its proof is skipped with the reason. They
 * run one after the other, because each bundles and starts a whole service.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outsideEnvironment } from '#test/helpers/outside-environment.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Ends a proof that hangs. */
const PROOF_TIMEOUT_MS = 1_800_000;
const TOLD_CHARS = 20_000;

const PROOFS: [name: string, script: string, ...args: string[]][] = [
  [
    'the fuzzer finds no answer that the description does not have',
    'tools/fuzz/run.ts',
    '--short',
    '--seed',
    '20261121',
  ],
  ['six generators make clients that compile and work', 'tools/clients/run.ts'],
  ['the stacks are deployed to an emulator of AWS, used, and taken down', 'tools/verify/run.ts'],
];

test.for(PROOFS)('%s', { timeout: PROOF_TIMEOUT_MS }, async ([, ...script], { signal, skip }) => {
  const program = ['-r', './infra/require-node.cjs', ...script];
  const child = spawn(process.execPath, program, { cwd: ROOT, env: outsideEnvironment(), signal });
  let told = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      told += chunk;
    });
  const [code] = await once(child, 'close');
  const reason = /^skipped: .*$/m.exec(told)?.[0];
  if (reason !== undefined) skip(reason);
  expect(code, told.slice(-TOLD_CHARS)).toBe(0);
});

/**
 * The recorded verdicts about raw answers are those of the programs. A program of another version may judge otherwise,
 * so only the recorded version is compared. `RAW_ANSWERS=write` records again what is on this machine.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RAW_ANSWERS } from '#test/fixtures/raw-answers/answers.ts';
import { startRawServer } from '#test/helpers/raw-server.ts';
import { PROGRAMS, type Program } from './raw-answers/programs.ts';

const FILE = new URL('../fixtures/raw-answers/verdicts.json', import.meta.url);
const RECORDED = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Record<string, string>>;

const ask = async (program: Program): Promise<Record<string, string>> => {
  const server = await startRawServer(RAW_ANSWERS);
  try {
    const verdicts = await program.verdicts(server.origin, RAW_ANSWERS.length);
    return Object.fromEntries(RAW_ANSWERS.map(({ name }, n) => [name, verdicts[n]!]));
  } finally {
    server.stop();
  }
};

test.for(Object.entries(PROGRAMS))('%s judges each answer as recorded', async ([name, program], { skip }) => {
  const version = await program.version().catch(() => skip(`no ${name}`));
  if (process.env.RAW_ANSWERS === 'write') {
    RECORDED[name] = { version, ...(await ask(program)) };
    return writeFileSync(FILE, `${JSON.stringify(RECORDED, null, 2)}\n`);
  }
  if (RECORDED[name]?.version !== version) skip(`recorded with ${name} ${RECORDED[name]?.version}, here ${version}`);
  expect({ version, ...(await ask(program)) }).toEqual(RECORDED[name]);
});

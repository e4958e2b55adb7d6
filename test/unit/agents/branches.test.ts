/** The rules decide who reads an organization's data: every branch of them must have a test in this folder. */
import { Session } from 'node:inspector/promises';
import { afterAll, expect, test } from 'vitest';

const RULES = /shared\/agents\/([a-z-]+)\.rules\.ts/;

/** Code that Vite generates for the exports of a module. */
const EXPORT = /^(?:\(\) => \{ try \{ return \w+ \} )?catch \{\}/;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Debugger.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

// Their tests also become tests of this file; the rules are loaded while their branches are counted.
const TESTED = [
  'authorization-request',
  'client-document',
  'client-id',
  'client-keys',
  'grant',
  'redirect-uri',
  'refresh',
];
for (const name of TESTED) await import(`./${name}.test.ts`);

afterAll(async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  const loaded = result.filter(({ url }) => RULES.test(url));
  const names = loaded.map(({ url }) => RULES.exec(url)![1]!);
  expect([...new Set(names)].sort()).toEqual(TESTED);
  const unmet: string[] = [];
  for (const { scriptId, url, functions } of loaded) {
    const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
    const texts = functions
      .flatMap(({ ranges }) => ranges.filter(({ count }) => count === 0))
      .map(({ startOffset, endOffset }) => scriptSource.slice(startOffset, endOffset));
    unmet.push(...texts.filter((text) => !EXPORT.test(text)).map((text) => `${RULES.exec(url)![1]}: ${text}`));
  }
  session.disconnect();
  expect(unmet).toEqual([]);
});

test('the rules are loaded', () => {
  expect(TESTED).toHaveLength(7);
});

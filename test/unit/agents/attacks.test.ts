import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AT_THE_MCP_ENDPOINT, ATTACKS } from '#test/helpers/attacks.ts';
import { codeFiles } from '../house/code-files.ts';

/** The title of a test names its attack. */
const NAMED = /['"`]attack (\d+): /g;

const isEndpointThere = existsSync(new URL('../../../functions/api/mcp', import.meta.url));

test('each attack is a named test', () => {
  const tried = new Set(
    codeFiles()
      .filter(({ path }) => path.startsWith('test/'))
      .flatMap(({ code }) => [...code.matchAll(NAMED)].map(([, number]) => Number(number))),
  );
  const wanted = Object.keys(ATTACKS)
    .map(Number)
    .filter((number) => isEndpointThere || !AT_THE_MCP_ENDPOINT.includes(number));
  expect(Object.keys(ATTACKS)).toHaveLength(37);
  expect(wanted.filter((number) => !tried.has(number))).toEqual([]);
  expect([...tried].filter((number) => !(number in ATTACKS))).toEqual([]);
});

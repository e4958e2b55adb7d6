/**
 * Every release so far has written stored items: a changed schema must still read all of them.
 * test/unit/release/stored-items.test.ts compares what the latest release reads and wrote.
 */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { ItemCodec } from '#shared/table/item.ts';
import { findCodecs } from '#tools/release/stored-codecs.ts';
import { codeFiles } from '../house/code-files.ts';

/**
 * If a hash differs: give a new field `.optional()` or `absent`, so that earlier items can still be read, prove that
 * with a test, and put the new hash here.
 */
const HASHES: Readonly<Record<string, string>> = {
  'api key': '09367cbd878a',
  'audit event': 'd7a3f3bd7c45',
  'authorization code': '782bc7aced5a',
  'change of an organization': '86dc35b018db',
  'changed connection': '34c24030f0a3',
  'client document': 'baf37f56d12b',
  'client keys': 'ce014d98db83',
  'connect link': 'b8dee2b5c7a9',
  'connect link secret': '0e751cebbe5d',
  'connect link token': 'b0e7bc4c4252',
  'connect session': 'fdf192c0b602',
  'connect visit': '47c2f43133ab',
  connection: '8c126ba22275',
  'connection snapshot': 'bdfd06a9c3a7',
  coverage: '8c2ff347523b',
  credentials: 'eff42af1458e',
  delivery: 'd455f3dcfb09',
  'delivery body': '6906127bb835',
  doubts: '76e3ed5baf1a',
  document: 'ba47267d92ce',
  'fingerprint key': 'bb086c6cb784',
  grant: '7549ca7079c1',
  'idempotency mark': '1d9b084b53fa',
  lease: 'ab6eecad71d0',
  locator: '441ef31b061b',
  'listed tender': 'fce0e851c5e8',
  'login history': '287a017b2385',
  'page index': '69e650cc85e5',
  purge: '1001ec1aeb0b',
  'refresh token': 'f640c0bbf454',
  run: '581bd8442426',
  'run progress': '6344235f34fb',
  'schedule reconciliation': '919a2eec0a11',
  'search part': '01bd913c9a73',
  'source session': '6da955f68517',
  task: 'c993deebc515',
  'tender entry': '17227824e40d',
  'tender file': 'e73ad689d875',
  'tender row': '225787f54351',
  tender: '507269761608',
  'tender change': '8c551986ab94',
  token: '72369b41ad44',
  tombstone: '119e2da07606',
  waiter: '22b152281ce3',
  'webhook attempt': '8808080a8d39',
  'webhook endpoint': 'b1691ae2a903',
  'webhook secret': '0e751cebbe5d',
  'webhook slots': '8c2e9b95736c',
};

const hashOf = ({ form: { schema, options } }: ItemCodec<unknown>): string =>
  createHash('sha256')
    .update(JSON.stringify([z.toJSONSchema(schema, { unrepresentable: 'any' }), options]))
    .digest('hex')
    .slice(0, 12);

/** Counters and times to live, which are no fields of an entity; `n` is also the sequence of a list row's write. */
const OTHER_ATTRIBUTES = ['count', 'indexed', 'starts', 'tests', 'calls', 'expires_at_epoch'];
const NAMED = /#([a-z_]+)\b(?![/.])|\b(?:set|add|take): \{ (?:\.\.\.\()?([a-z_]+)[:,]/g;

test('each stored schema is the one that was looked at', async () => {
  const codecs = await findCodecs();
  expect(Object.fromEntries(codecs.map((codec) => [codec.entity, hashOf(codec)]))).toEqual(HASHES);
});

test('each attribute that a condition compares or a change names is one of a codec', async () => {
  const known = new Set([...(await findCodecs()).flatMap(({ attributes }) => attributes), ...OTHER_ATTRIBUTES]);
  const named = codeFiles()
    .filter(({ path }) => /^shared\/.*(?:\.store|finish-run|table\/lease)\.ts$/.test(path))
    .flatMap(({ path, code }) =>
      [...code.replaceAll(/^import .*$|^\} from .*$/gm, '').matchAll(NAMED)].map(([, compared, changed]) => ({
        path,
        name: compared ?? changed!,
      })),
    );
  expect(named.length).toBeGreaterThan(80);
  expect(named.filter(({ name }) => !known.has(name))).toEqual([]);
});

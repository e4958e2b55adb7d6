/**
 * Each version reads what the other stored: the present service reads items of the latest release, and the released
 * service, to which a deploy may roll back, reads present items.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { bytes, type ItemCodec, item, StoredItemInvalid } from '#shared/table/item.ts';
import { CHANGELOG } from '#tools/release/breaking-changes.ts';
import { findStoredBreaks, findUnannounced, formatFinding, readReleasedItems } from '#tools/release/released-items.ts';
import { findCodecs } from '#tools/release/stored-codecs.ts';
import { describeForm, findRefused } from '#tools/release/stored-form.ts';
import { currentItems, findUnread } from '#tools/release/stored-items.ts';
import { fromText, toText } from '#tools/release/stored-values.ts';

test('nothing that is stored is lost between the latest release and today in silence', async () => {
  const findings = await findStoredBreaks();
  expect(findUnannounced(findings, readFileSync(CHANGELOG, 'utf8')).map(formatFinding)).toEqual([]);
});

test('the release has a fixture of each stored item, with each of its attributes', async () => {
  const { codecs, packed } = readReleasedItems();
  const known = (await findCodecs()).filter(({ entity }) => entity in codecs);
  expect(known.length).toBeGreaterThan(25);
  for (const { entity, fromItem } of known) {
    const [whole] = codecs[entity]!.items;
    expect(Object.keys(whole!).sort(), entity).toEqual(Object.values(codecs[entity]!.attributes).sort());
    for (const each of codecs[entity]!.items) expect(() => fromItem(each), entity).not.toThrow();
  }
  expect(Object.keys(packed).length).toBeGreaterThan(4);
});

test('bytes, sets and plain values come back from the file as they were', () => {
  const value = {
    a: new Uint8Array([0, 255]),
    b: new Set([1, 2]),
    c: new Set(['x']),
    d: { set: 'no' },
    e: [null, 1.5],
  };
  expect(fromText(toText(value, 1))).toEqual(value);
  expect(fromText(toText({ bytes: Buffer.from('ab') }))).toEqual({ bytes: new Uint8Array([97, 98]) });
});

const Connection = z.object({
  id: z.string(),
  status: z.enum(['active', 'error']),
  createdAt: z.string(),
  lastSeenAt: z.string().nullable(),
  note: z.string().optional(),
  openRuns: z.array(z.string()),
  secret: bytes(),
  schedule: z.object({ enabled: z.boolean(), minutes: z.number().nullable() }),
});
const OPTIONS = { absent: ['lastSeenAt'], sets: ['openRuns'] } as const;
const released = item('connection', Connection, OPTIONS);

// biome-ignore lint/suspicious/noExplicitAny: a codec of any form is planted
type AnyCodec = any;
/** Problems found when the release had the codec above and the present version has `today`. */
const found = (...today: AnyCodec[]): string[] => {
  // The items as read back from the file.
  const kept = fromText(toText(currentItems([released as AnyCodec]))) as ReturnType<typeof currentItems>;
  return findUnread(kept, today as ItemCodec<unknown>[]).map(formatFinding);
};
const changed = (shape: z.ZodRawShape, options: object = {}): AnyCodec =>
  item('connection', Connection.extend(shape) as AnyCodec, { ...OPTIONS, ...options } as AnyCodec);

describe('refused, by name', () => {
  test.each<[string, AnyCodec[], string[]]>([
    [
      'a required attribute more',
      [changed({ region: z.string() })],
      ['stored connection.region: an item of the release is not read'],
    ],
    [
      'a renamed attribute',
      [changed({}, { names: { createdAt: 'made_at' } })],
      [
        'stored connection.created_at: the release wrote it, and nothing reads it any more',
        'stored connection.made_at: an item of the release is not read',
        'stored connection.created_at: the code of the release does not read an item of today',
      ],
    ],
    [
      'a renamed attribute that may be missing: nothing would throw, and its value would be lost',
      [changed({}, { names: { note: 'remark' } })],
      ['stored connection.note: the release wrote it, and nothing reads it any more'],
    ],
    [
      'a renamed attribute that is null in code',
      [changed({}, { names: { lastSeenAt: 'seen_at' } })],
      ['stored connection.last_seen_at: the release wrote it, and nothing reads it any more'],
    ],
    [
      'a value of an enum more, which the release would not read after a deploy went back',
      [changed({ status: z.enum(['active', 'error', 'paused']) })],
      ['stored connection.status: the code of the release does not read an item of today'],
    ],
    [
      'a value of an enum less',
      [changed({ status: z.enum(['active']) })],
      ['stored connection.status: an item of the release is not read'],
    ],
    [
      'another type',
      [changed({ createdAt: z.number() })],
      [
        'stored connection.created_at: an item of the release is not read',
        'stored connection.created_at: the code of the release does not read an item of today',
      ],
    ],
    [
      'a required attribute that may be missing from now on',
      [changed({ createdAt: z.string().optional() })],
      ['stored connection.created_at: the code of the release does not read an item of today'],
    ],
    [
      'a required field more, deep inside',
      [changed({ schedule: Connection.shape.schedule.extend({ zone: z.string() }) })],
      ['stored connection.schedule: an item of the release is not read'],
    ],
    [
      'a set that becomes a list',
      [changed({}, { sets: [] })],
      ['stored connection.open_runs: an item of the release is not read'],
    ],
    [
      'bytes that become text',
      [changed({ secret: z.string() })],
      [
        'stored connection.secret: an item of the release is not read',
        'stored connection.secret: the code of the release does not read an item of today',
      ],
    ],
    ['an entity that nothing reads', [], ['stored connection: the release wrote it, and no codec reads it any more']],
  ])('%s', (_, today, lines) => {
    expect(found(...today)).toEqual(lines);
  });
});

describe('goes through', () => {
  test.each<[string, AnyCodec[]]>([
    ['the same codec', [released]],
    ['an attribute more that may be missing', [changed({ region: z.string().optional() })]],
    [
      'an attribute more that is null where it is absent',
      [changed({ region: z.string().nullable() }, { absent: ['lastSeenAt', 'region'] })],
    ],
    ['an entity more', [released, item('new', z.object({ id: z.string() }))]],
  ])('%s', (_, today) => {
    expect(found(...today)).toEqual([]);
  });

  test('a field that is called otherwise in code, under its old attribute', () => {
    const { createdAt, ...shape } = Connection.shape;
    const renamed = z.object({ ...shape, bornAt: createdAt });
    expect(
      found(item('connection', renamed as AnyCodec, { ...OPTIONS, names: { bornAt: 'created_at' } } as AnyCodec)),
    ).toEqual([]);
  });
});

test('a real codec that is broken is refused by its own name', async () => {
  const codecs = await findCodecs();
  const { codecs: kept } = readReleasedItems();
  const api = codecs.find(({ entity }) => entity === 'api key')!;
  const broken = item('api key', api.form.schema, {
    ...api.form.options,
    names: { sha256: 'digest' },
  } as AnyCodec) as AnyCodec;
  const lines = findUnread(kept, [...codecs.filter((codec) => codec !== api), broken]).map(({ subject }) => subject);
  expect(new Set(lines)).toEqual(new Set(['api key.sha256', 'api key.digest']));
});

test('the reader that a release keeps refuses what its codec refuses, and reads what it reads', () => {
  const form = fromText(toText(describeForm(released as AnyCodec))) as ReturnType<typeof describeForm>;
  const whole = released.toItem({
    id: 'a',
    status: 'active',
    createdAt: 'now',
    lastSeenAt: null,
    openRuns: ['r'],
    secret: new Uint8Array([1]),
    schedule: { enabled: true, minutes: null },
  });
  const without = (attribute: string) =>
    Object.fromEntries(Object.entries(whole).filter(([name]) => name !== attribute));
  const items: [object, string[]][] = [
    [whole, []],
    [{ ...whole, later: 1 }, []],
    [without('open_runs'), []],
    [without('created_at'), ['created_at']],
    [{ ...whole, status: 'paused' }, ['status']],
    [{ ...whole, secret: 'text' }, ['secret']],
    [{ ...whole, open_runs: ['r'] }, []],
    [{ ...whole, schedule: { enabled: true } }, ['schedule']],
    [{ ...whole, last_seen_at: 5, id: null }, ['last_seen_at', 'id']],
  ];
  for (const [each, refused] of items) {
    const values = each as Record<string, unknown>;
    expect(findRefused(form, values).sort()).toEqual(refused.sort());
    const read = () => released.fromItem(values);
    if (refused.length > 0) expect(read).toThrow(StoredItemInvalid);
    else expect(read).not.toThrow();
  }
});

test.each([
  ['- STORED: connection.note is gone: nothing reads it since 1.2.0.', true],
  ['STORED: connection.note', true],
  ['- STORED: connection.notes are gone.', false],
  ['- STORED: connection', false],
  ['- BREAKING: connection.note', false],
])('%j reports connection.note: %s', (line, isTold) => {
  const findings = [{ subject: 'connection.note', says: 'lost' }];
  const changelog = `# Changelog\n\n## Unreleased\n\n${line}\n\n## 1.0.0 - 2026-11-24\n\n- STORED: connection.note\n`;
  expect(findUnannounced(findings, changelog)).toEqual(isTold ? [] : findings);
});

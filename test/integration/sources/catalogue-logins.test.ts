/**
 * The logins that `/docs/errors` names: their runs end with the stated code. Every login that is accepted is
 * synchronized. So is every third refused login; `refusals` compares all of them with the tables, from which the
 * page takes its codes.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SandboxCredential } from '#shared/sources/sandbox-kit/credential.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import { NOTICE_CATALOGUE } from '#shared/values/notice-catalogue.ts';
import { sampled } from '#test/helpers/effort.ts';
import { loadSources, type SourceFolder } from '#test/helpers/source-folders.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import { loginsByCode, readSandboxTables, type ShowingLogin } from '#tools/sandbox-credentials.ts';
import { type Ended, endAll, inputOf, QUIET_HOURS, refused, STAGE_TIMEOUT_MS } from './stage.ts';

const folders = await loadSources();
const logins = loginsByCode(await readSandboxTables());

/** A month before any that an institution shows, and a month in the future. */
const LONG_AGO = '2015-01';
const NEXT_YEAR = '2027-11';
const BY_MONTH = NOTICE_CATALOGUE.filter(
  ({ code, word }) => ['out_of_window', 'not_begun'].includes(word) && !logins.has(code),
);

let world: SourceWorld;
beforeAll(async () => {
  world = await startSourceWorld(folders, { table: 'quick', startsAt: QUIET_HOURS });
});
afterAll(() => world.stop());

const codesOf = ({ outcomes, errorCode }: SyncRun): (string | null)[] => [
  errorCode,
  ...Object.values(outcomes).flatMap((outcome) => [outcome.errorCode, ...outcome.notices.map(({ code }) => code)]),
];

/** The codes that each login of the source shows and no other source shows before it. */
const shownBy = ({ code: source }: SourceFolder): Map<SandboxCredential, string[]> =>
  Map.groupBy(
    [...logins].filter(([, [first]]) => first!.source === source).map(([code]) => code),
    (code) => (logins.get(code) as ShowingLogin[])[0]!.entry,
  );

describe.each(folders.map((folder) => [folder.code, folder] as const))('%s', (_code, folder) => {
  const all = [...shownBy(folder)];
  const refusedOnes = all.filter(([entry]) => refused(entry)).filter((_, at) => at % 3 === 0);
  const shown = new Map(sampled([...all.filter(([entry]) => !refused(entry)), ...refusedOnes], 6));
  let ended = new Map<SandboxCredential, Ended>();
  beforeAll(async () => {
    // No months in the input: the notices of the tables are those of a first sync.
    ended = await endAll(world, folder, [...shown.keys()], {});
  }, STAGE_TIMEOUT_MS);
  afterAll(() => Promise.all([...ended.values()].map(({ story }) => story.close())));

  test.each([...shown].flatMap(([entry, codes]) => codes.map((code) => [code, entry] as const)))(
    '%s',
    (code, entry) => {
      expect(codesOf(ended.get(entry)!.run)).toContain(code);
    },
  );
});

const aged = folders.filter(({ code }) => BY_MONTH.some((notice) => notice.code.startsWith(`${code}.`)));

test.each(aged.map((folder) => [folder.code, folder] as const))(
  '%s: any login shows what is too old or has not begun, when it is asked for',
  async (source, folder) => {
    const [entry] = folder.credentials;
    const ended = await endAll(world, folder, [entry!], inputOf(folder, [LONG_AGO, NEXT_YEAR]));
    const { story, run } = ended.get(entry!)!;
    await story.close();
    const expected = BY_MONTH.map(({ code }) => code).filter((code) => code.startsWith(`${source}.`));
    expect(codesOf(run)).toEqual(expect.arrayContaining(expected));
  },
  STAGE_TIMEOUT_MS,
);

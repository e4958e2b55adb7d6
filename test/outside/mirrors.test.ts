/**
 * The recipes of docs/guides/mirror.md in both languages, and the sources for dlt: each mirrors the lists, across the
 * closing of a month, and starts again after a restore. Airbyte's own tests check the source for Airbyte.
 */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMonths, santiagoDay, santiagoPeriod } from '#shared/values/dates.ts';
import { judgeSource, OWN_TESTS, REQUIREMENTS, TESTS_OF_A_SOURCE, type Verdict } from '#test/helpers/airbyte.ts';
import { temporaryFolder } from '#test/helpers/e2e-child.ts';
import { until } from '#test/helpers/e2e-integrator.ts';
import { useStack } from '#test/helpers/e2e-stack.ts';
import { findMirrors } from '#test/helpers/found-mirrors.ts';
import { differences, type Held, listed, type Mirror } from '#test/helpers/mirrors.ts';
import { type HeldTenders, servedTenders } from '#test/helpers/tender-mirrors.ts';
import { changesSince, TENDER_CHANGES } from '#tools/local/demo/changes.ts';
import { connect } from '#tools/local/demo/steps.ts';
import { signSession } from '#tools/local/development-session.ts';
import { installed } from '#tools/python/venv.ts';

/**
 * A login of bank one: each account has such a movement in its open month, and the closed statement does not show it.
 */
const CREDENTIALS = { rut: '11000043-K', password: 'clave-de-prueba' };
const OPEN_ONLY = 'COMPRA CON TARJETA POR LIQUIDAR';
const SCOPES = ['movements', 'transfers', 'balances', 'nominas'];
const DAY_MS = 86_400_000;
/** On these days every month is open and nearly complete: the removed movement may be of any day. */
const FROM_DAY = 28;
const UNTIL_DAY = 30;
/** Days until the first banking day of the next month is over. */
const CLOSED_AFTER_DAYS = 20;

const folder = temporaryFolder();
const found = await findMirrors(folder);
const airbyte = await installed('.venv-airbyte', REQUIREMENTS);
const stage = useStack();
let connectionId: string;
/** Connection to another source, synchronized once and deleted in the end. */
let taxId: string;
let procurementId: string;

interface Stage {
  shown: Held;
  /** For each mirror: changes of the first poll, of a second one, and its rows afterwards. */
  polls: Map<string, { taken: number | null; again: number | null; held: Held }>;
  served: HeldTenders;
  /** The same for each mirror of tenders. */
  tenders: TenderPoll[];
}
interface TenderPoll {
  counts: 'changes' | 'rows';
  taken: number | null;
  again: number | null;
  held: HeldTenders;
}
let open: Stage;
let closed: Stage;
let restored: Stage;
/** Results of the source for Airbyte, while the month was open and after it closed. */
const verdicts: Verdict[] = [];
/** After no connection reads tenders any more. */
let deleted: TenderPoll[];
/** For each mirror: rows of the deleted connection, rows of the remaining connection. */
let afterDeletion: Map<string, [gone: Held, remaining: Held]>;
/** Rows that the open month showed and the closed one does not. */
let gone: string[];
let told: { change: string; scope: string; id: string; row: object | null; key: object | null }[];

const synchronize = async (periods: string[]): Promise<void> => {
  const { api } = stage;
  await finish([
    [connectionId, await api.sync(connectionId, periods)],
    [procurementId, await api.sync(procurementId)],
  ]);
};

const finish = async (started: readonly (readonly [id: string, runId: string])[]): Promise<void> => {
  for (const [id, runId] of started) {
    const run = await stage.api.finished(id, runId);
    expect([run.status, run.error_code]).toEqual(['succeeded', null]);
  }
};

const allOf = async (rowsOf: (id: string) => Promise<Held>): Promise<Held> => ({
  ...(await rowsOf(connectionId)),
  ...(await rowsOf(taxId)),
});

const pollTenders = async (): Promise<TenderPoll[]> => {
  const { file } = stage.api;
  const polls: TenderPoll[] = [];
  for (const { counts, poll, held } of found.tenderMirrors)
    polls.push({ counts, taken: await poll(file), again: await poll(file), held: await held() });
  return polls;
};

/** Late in a month, the stories take more days than the lifetime of the stack's first session. */
const signInAgain = async (): Promise<Record<string, string>> => {
  const { api, doors, stack } = stage;
  const expiresAt = new Date((await doors.nowMs()) + DAY_MS).toISOString();
  return { cookie: `sb-access-token=${await signSession(stack.issuer, api.file.organization_id, expiresAt)}` };
};

/** All data of the connections is deleted, and the feeds report it. */
const deleteConnections = async (): Promise<void> => {
  const { api } = stage;
  const isTold = async () =>
    (await changesSince(stage.api.file, TENDER_CHANGES, null)).changes.some(
      ({ change }) => change === 'connection_deleted',
    );
  const headers = await signInAgain();
  for (const id of [procurementId, taxId])
    await api.must(200, 'DELETE', `/connections/${id}`, { as: 'nobody', headers });
  await until('the end of the deletion', isTold, stage.doors.jump);
};

const pollAll = async (): Promise<Stage> => {
  const { file } = stage.api;
  const polls: Stage['polls'] = new Map();
  for (const mirror of found.mirrors) {
    const taken = await mirror.poll(file);
    const again = await mirror.poll(file);
    polls.set(mirror.name, { taken, again, held: await allOf(mirror.held) });
  }
  const tenders = await pollTenders();
  return { shown: await allOf((id) => listed(file, id)), polls, served: await servedTenders(file), tenders };
};

const rowChangesSince = async (cursor: string | null) => {
  const query = `limit=200${cursor === null ? '' : `&cursor=${cursor}`}`;
  return stage.api.must(200, 'GET', `/connections/${connectionId}/changes?${query}`);
};

const judge = async (): Promise<void> => {
  if (airbyte.programs !== undefined) verdicts.push(await judgeSource(airbyte.programs, folder, stage.api.file));
};

const cursorNow = async (): Promise<string> => {
  for (let cursor: string | null = null; ; ) {
    const { feed } = await rowChangesSince(cursor);
    cursor = feed.next_cursor;
    if (!feed.has_more) return feed.next_cursor;
  }
};

beforeAll(async () => {
  const { api, doors } = stage;
  const body = { external_source_code: 'bankone', name: 'Mirrored', enabled_scopes: SCOPES, metadata: {} };
  const made = await api.must(201, 'POST', '/connections', {
    as: 'session',
    body: { ...body, credentials: CREDENTIALS },
  });
  connectionId = made.id;
  procurementId = await connect(api.file, 'procurement');
  const dayOf = async () => Number(santiagoDay(await doors.nowMs()).slice(-2));
  while ((await dayOf()) < FROM_DAY || (await dayOf()) > UNTIL_DAY) await doors.advance(DAY_MS);
  const month = santiagoPeriod(await doors.nowMs());
  taxId = await api.connect(api.file.sandbox.tax!.credentials as Record<string, string>);
  await synchronize([addMonths(month, -1), month]);
  await finish([[taxId, await api.sync(taxId, [addMonths(month, -1)])]]);
  open = await pollAll();
  await judge();
  const cursor = await cursorNow();
  await doors.advance(CLOSED_AFTER_DAYS * DAY_MS);
  await synchronize([month, addMonths(month, 1)]);
  closed = await pollAll();
  await judge();
  gone = Object.keys(open.shown).filter((place) => !(place in closed.shown));
  told = (await rowChangesSince(cursor)).data;
  for (const mirror of found.mirrors) await mirror.outlive(connectionId);
  for (const mirror of found.tenderMirrors) await mirror.outlive();
  restored = await pollAll();
  await deleteConnections();
  deleted = await pollTenders();
  afterDeletion = new Map();
  for (const mirror of found.mirrors) {
    await mirror.poll(api.file);
    afterDeletion.set(mirror.name, [await mirror.held(taxId), await mirror.held(connectionId)]);
  }
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('missing programs of this machine are reported', ({ skip }) => {
  const lacking = [...found.lacking, ...(airbyte.reason === undefined ? [] : [airbyte.reason])];
  if (lacking.length > 0) skip(lacking.join('; '));
});

test('the month closes, and takes away what its statement does not show', () => {
  const openOnly = Object.entries(open.shown).filter(([, { descripcion }]) => descripcion === OPEN_ONLY);
  expect(openOnly).not.toEqual([]);
  expect(gone.toSorted()).toEqual(openOnly.map(([place]) => place).toSorted());
  const deleted = told.filter(({ change }) => change === 'deleted');
  expect(deleted.map(({ scope, id }) => `${scope} ${id}`).toSorted()).toEqual(gone.toSorted());
  for (const { row, key } of deleted) expect([row, key]).toEqual([null, expect.any(Object)]);
});

describe.each(found.mirrors.map((mirror): [string, Mirror] => [mirror.name, mirror]))('%s', (name) => {
  const stages = (): [Stage, Stage, Stage] => [open, closed, restored];

  test('holds what the lists show, before and after the month closed, and after a restore', () => {
    for (const { shown, polls } of stages()) {
      expect(Object.keys(shown).length).toBeGreaterThan(0);
      expect(differences(polls.get(name)!.held, shown)).toEqual([]);
    }
  });

  test('a second poll takes nothing', () => {
    expect(stages().map(({ polls }) => polls.get(name)!.again)).toEqual([0, 0, 0]);
  });

  test('takes only the changes, and everything after a restore', () => {
    const taken = stages().map(({ polls }) => polls.get(name)!.taken!);
    const rows = stages().map(({ shown }) => Object.keys(shown).length);
    expect(taken).toEqual([rows[0], told.length, rows[2]! + gone.length]);
    expect(told.length).toBeLessThan(rows[1]!);
  });
});

test('a deleted connection leaves every copy, and the others stay', () => {
  const bank = Object.entries(restored.shown).filter(([place]) => SCOPES.includes(place.split(' ')[0]!));
  for (const [name, [gone, remaining]] of afterDeletion) {
    expect(gone, name).toEqual({});
    expect(differences(remaining, Object.fromEntries(bank)), name).toEqual([]);
  }
});

describe.runIf(airbyte.programs !== undefined)('Airbyte', () => {
  test('passes its own tests of a source, and resumes from each state up to what the lists show', () => {
    const all = [...TESTS_OF_A_SOURCE, ...OWN_TESTS].sort();
    expect(verdicts.map(({ passed }) => passed)).toEqual([all, all]);
  });

  test('reads every row and every deletion, with several states on the way', () => {
    const rows = [open, closed].map(({ shown }) => Object.keys(shown).length);
    const seen = verdicts.map((verdict) => verdict.seen);
    expect(seen.map((each) => each.rows)).toEqual(rows);
    expect(seen.map(({ changes }) => changes)).toEqual([rows[0], rows[1]! + gone.length]);
    expect(seen.map(({ deleted }) => deleted)).toEqual([0, gone.length]);
    expect(seen[0]!.states).toBeGreaterThan(SCOPES.length);
    expect(seen[1]!.states).toBeGreaterThan(2 * SCOPES.length);
  });
});

test('copies of tenders hold what is served, take what changed, and everything after a restore', () => {
  for (const { served, tenders } of [open, closed, restored]) {
    expect(Object.keys(served).length).toBeGreaterThan(0);
    for (const { held, again } of tenders) expect([held, again]).toEqual([served, 0]);
  }
  for (const { taken } of closed.tenders) expect(taken).toBeGreaterThan(0);
  const places = Object.values(restored.served);
  for (const { counts, taken } of restored.tenders)
    expect(taken).toBe(counts === 'changes' ? places.length : places.flat().length);
});

test('copies of tenders are empty when no connection reads tenders any more', () => {
  for (const { held, again } of deleted) expect([held, again]).toEqual([{}, 0]);
});

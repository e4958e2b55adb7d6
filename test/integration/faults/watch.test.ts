/** What the watch of the fault simulation sees at every write: it once saw nothing, and then all its checks passed. */
import { gzipSync } from 'node:zlib';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { withLogFields } from '#shared/platform/log-context.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { CALM } from '../../faults/machine/faults.ts';
import type { Invocation } from '../../faults/machine/invocations.ts';
import { Machine } from '../../faults/machine/machine.ts';
import { virtual } from '../../faults/machine/virtual-process.ts';
import { SimulatedTable } from '../../faults/table/simulated-table.ts';
import type { Item } from '../../faults/table/values.ts';
import { type AskedWatch, watchAsked } from '../../faults/world/asked.ts';
import { TIMEOUT_MS } from '../../faults/world/timeouts.ts';
import { type Watch, watch } from '../../faults/world/watch.ts';

const CONNECTION = 'ORG#o#CONN#c';
const RUN = 'run-1';
const PERIOD = { pk: 'ORG#o#INDEX#c#rcv', sk: 'PERIOD#2026-10', dirty: true, due_pk: 'DUE#1', due_sk: '1' };
const ROW = { pk: 'ORG#o#ROWS#c#rcv#2026-10#x', sk: 'row' };
const lease = (fence: number, expiresAtMs = 1): Item => ({
  pk: CONNECTION,
  sk: 'LEASE#rcv',
  fence,
  holder: `${RUN}:${fence}`,
  expires_at_ms: expiresAtMs,
});

let machine: Machine;
let table: SimulatedTable;
let told: Watch;
beforeEach(() => {
  virtual.nowMs = 0;
  virtual.timers.clear();
  machine = new Machine(randomFrom(1), { ...CALM });
  table = new SimulatedTable();
  told = watch(machine, table);
});

const put = async (...items: Item[]): Promise<void> => {
  for (const Item of items)
    await machine.call('put', () => table.send(new PutCommand({ TableName: 'simulated', Item })));
};

/** Lets a worker do its task while time passes. */
const worker = async (task: (invocation: Invocation) => Promise<unknown>): Promise<void> => {
  let isOver = false;
  void machine.invoke('sync-scope', 1_000_000_000, task).then(() => {
    isOver = true;
  });
  while (!isOver) await machine.step(Number.MAX_SAFE_INTEGER);
};

describe('who writes', () => {
  beforeEach(() => worker(() => put(lease(1), PERIOD, ROW)));

  test('the worker that took the lease may', () => {
    expect(told.violations).toEqual([]);
  });

  test('nobody else may, neither index nor rows', async () => {
    await worker(() => put({ ...PERIOD, dirty: false }));
    expect(told.violations).toEqual([expect.stringContaining('PERIOD#2026-10 was written by')]);
    await worker(() => put({ ...ROW, v: 1 }));
    expect(told.violations).toHaveLength(2);
  });

  test('anybody may say that a period is looked at later, and nothing besides', async () => {
    await worker(() => put({ ...PERIOD, due_sk: '2' }));
    expect(told.violations).toEqual([]);
    await worker(() => put({ ...PERIOD, due_sk: '3', dirty: false }));
    expect(told.violations).toHaveLength(1);
  });

  test('a frozen worker may write a row, and never the index', async () => {
    const late = (item: Item) =>
      worker((invocation) => {
        invocation.frozenMs = 1;
        return put(item);
      });
    await late({ ...ROW, v: 1 });
    expect(told.violations).toEqual([]);
    await late({ ...PERIOD, dirty: false });
    expect(told.violations).toHaveLength(1);
  });
});

describe('how long a scope waits after its worker died', () => {
  const run = (status: string): Item => ({
    pk: CONNECTION,
    sk: `RUN#${RUN}`,
    id: RUN,
    status: 'running',
    outcomes: { rcv: { status } },
  });
  const dieWith = (held: Item, outcome: string) =>
    worker(async (invocation) => {
      await put(run(outcome), held);
      machine.kill(invocation, 'a test');
    });
  const takenAfter = async (ms: number): Promise<string[]> => {
    virtual.nowMs += ms;
    await worker(() => put(lease(2)));
    return told.violations;
  };

  test.each([
    [170_000, 0],
    [181_000, 1],
  ])('%i ms: %i violations', async (ms, violations) => {
    await dieWith(lease(1), 'running');
    expect(await takenAfter(ms)).toHaveLength(violations);
  });

  test('does not matter if it had given the lease back, or its scope had ended', async () => {
    await dieWith(lease(1, 0), 'running');
    expect(await takenAfter(500_000)).toEqual([]);
    await dieWith(lease(3), 'failed');
    virtual.nowMs += 500_000;
    await worker(() => put(lease(4)));
    expect(told.violations).toEqual([]);
  });

  test('is not judged if something else went wrong meanwhile', async () => {
    await dieWith(lease(1), 'running');
    machine.mishaps++;
    expect(await takenAfter(500_000)).toEqual([]);
  });

  const slot = (holder: string, expiresAtMs: number, restsUntilMs = 0): Item => ({
    pk: 'ORG#o#LOGIN#tax#l',
    sk: 'SLOT#0',
    holder,
    expires_at_ms: expiresAtMs,
    rests_until_ms: restsUntilMs,
  });

  test.each([
    [100_000, 0],
    [10_000, 1],
  ])('is less by the %i ms for which another has the slot: %i violations', async (ms, violations) => {
    await dieWith(lease(1), 'running');
    await worker(async () => {
      await put(slot('another', 1));
      virtual.nowMs += ms;
      await put(slot('another', 0));
    });
    expect(await takenAfter(200_000 - ms)).toHaveLength(violations);
  });

  test('is less by the time for which the slot rests', async () => {
    await dieWith(lease(1), 'running');
    await worker(() => put(slot('another', 0, virtual.nowMs + 400_000)));
    expect(await takenAfter(500_000)).toEqual([]);
  });
});

describe('what was given back', () => {
  const slot = (holder: string, expiresAtMs: number): Item => ({
    pk: CONNECTION,
    sk: 'SLOT#0',
    holder,
    expires_at_ms: expiresAtMs,
  });

  test('is not held again under the same name', async () => {
    virtual.nowMs = SYNC_LIMITS.leaseMs;
    await worker(() => put(slot('one', 5), slot('one', 9), slot('one', 0)));
    await worker(() => put(slot('another', 5)));
    expect(told.violations).toEqual([]);
    await worker(() => put(slot('another', 0), slot('another', 7)));
    expect(told.violations).toEqual([expect.stringContaining('was given back, and is held again by another')]);
  });
});

describe('what a worker asks for', () => {
  const answer = { scope: 'rcv', unit: '2026-10', key: 'part-1' };
  const head = { at: '', key: answer.key, request: { scope: 'rcv', unit: '2026-10' }, bytes: 2 };
  const object = () => gzipSync(`${JSON.stringify([head])}\n[]`);
  const task = (reading: number): Item => ({ pk: CONNECTION, sk: `WORK#${RUN}#rcv`, reading });
  const asks = (act: (asked: AskedWatch) => void): Promise<void> =>
    worker(async (invocation) => {
      Object.assign(invocation, { deadlineMs: virtual.nowMs + TIMEOUT_MS['sync-scope']! });
      withLogFields({ run_id: RUN }, () => act(asked));
    });
  let asked: AskedWatch;
  beforeEach(async () => {
    asked = watchAsked(table);
    await worker(() => put(task(1)));
    await asks(({ objects }) => objects.set('kept', object()));
    virtual.nowMs += 1;
  });

  test('was not stored by the current reading', async () => {
    await asks(({ onAsked }) => onAsked({ ...answer, key: 'part-2' }));
    expect(asked.violations).toEqual([]);
    await asks(({ onAsked }) => onAsked(answer));
    expect(asked.violations).toEqual([expect.stringContaining('asked again for a stored answer')]);
    await worker(() => put(task(2)));
    await asks(({ onAsked }) => onAsked(answer));
    expect(asked.violations).toHaveLength(1);
  });

  test('does not matter for a frozen worker, or one that had begun before', async () => {
    await worker(async (invocation) => {
      const ask = () => withLogFields({ run_id: RUN }, () => asked.onAsked(answer));
      Object.assign(invocation, { deadlineMs: TIMEOUT_MS['sync-scope'] });
      ask();
      Object.assign(invocation, { deadlineMs: virtual.nowMs + TIMEOUT_MS['sync-scope']!, frozenMs: 1 });
      ask();
    });
    expect(asked.violations).toEqual([]);
  });

  test('is left by the worker that has the slot', async () => {
    const slot = { pk: 'ORG#o#LOGIN#tax#l', sk: 'SLOT#0', expires_at_ms: 0 };
    await worker(() => put({ ...slot, holder: `${RUN}:rcv:2` }));
    await asks(({ onLeft }) => onLeft());
    expect(asked.violations).toEqual([]);
    await worker(() => put({ ...slot, holder: 'another:rcv:2', expires_at_ms: 1 }));
    await asks(({ onLeft }) => onLeft());
    expect(asked.violations).toEqual([expect.stringContaining("logged out a session of another holder's slot")]);
  });

  test('is asked for soon after a cancel, but not later', async () => {
    const cancelledAt = new Date(virtual.nowMs).toISOString();
    await worker(() => put({ pk: CONNECTION, sk: `RUN#${RUN}`, outcomes: {}, cancelled_at: cancelledAt }));
    const other = { ...answer, key: 'part-2' };
    virtual.nowMs += 29_000;
    await asks(({ onAsked }) => onAsked(other));
    expect(asked.violations).toEqual([]);
    virtual.nowMs += 2_000;
    await asks(({ onAsked }) => onAsked(other));
    expect(asked.violations).toEqual([expect.stringContaining('asked 31 s after a cancel')]);
  });
});

describe('how long a task waits for what is free', () => {
  const SLOT = 'SLOT#0';
  const task = (hop: number, waitsFor: string | null): Item => ({
    pk: CONNECTION,
    sk: `WORK#${RUN}#rcv`,
    state: 'working',
    hop,
    waits_for: waitsFor === null ? null : { for: waitsFor },
    // The move was decided long before it is stored: only the time of storing counts.
    moved_at_ms: 0,
  });
  const held = (sk: string, isHeld: boolean, holder = 'one'): Item => ({
    pk: CONNECTION,
    sk,
    holder,
    expires_at_ms: isHeld ? 60_000 : 0,
  });

  const waits = (waitsFor: string, sk: string, until: () => Promise<void>): Promise<void> =>
    worker(async () => {
      await put(held(sk, true), task(1, null), held(sk, false));
      virtual.nowMs += 40_000;
      await put(task(2, waitsFor));
      await until();
    });

  test.each([
    ['login', SLOT],
    ['lease', 'LEASE#rcv'],
  ])('reports a %s', async (waitsFor, sk) => {
    await waits(waitsFor, sk, async () => {
      virtual.nowMs += 30_000;
      await put(task(3, null));
    });
    expect(told.violations).toEqual([expect.stringContaining(`waited 30 s for a ${waitsFor} that is free`)]);
  });

  test('does not matter if the task continues at once', async () => {
    await waits('login', SLOT, () => put(task(3, null)));
    expect(told.violations).toEqual([]);
  });

  test('does not matter while a worker has the slot, or for another reason to wait', async () => {
    await waits('login', SLOT, async () => {
      await put(held(SLOT, true, 'another'));
      virtual.nowMs += 30_000;
      await put(task(3, 'run'), held(SLOT, false, 'another'));
      virtual.nowMs += 30_000;
      await put(task(4, null));
    });
    expect(told.violations).toEqual([]);
  });

  test('is not judged if something went wrong meanwhile, though the task continues to wait', async () => {
    await waits('login', SLOT, async () => {
      machine.mishaps++;
      virtual.nowMs += 30_000;
      await put(task(3, 'lease'));
    });
    expect(told.violations).toEqual([]);
  });
});

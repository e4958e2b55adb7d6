/** What the fault simulation sees at every write: it was blind once, and every check of it then held. */
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { randomFrom } from '#test/helpers/random.ts';
import { CALM } from '../../faults/machine/faults.ts';
import type { Invocation } from '../../faults/machine/invocations.ts';
import { Machine } from '../../faults/machine/machine.ts';
import { virtual } from '../../faults/machine/virtual-process.ts';
import { SimulatedTable } from '../../faults/table/simulated-table.ts';
import type { Item } from '../../faults/table/values.ts';
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

/** Lets a worker do its work, and time with it. */
const worker = async (task: (invocation: Invocation) => Promise<unknown>): Promise<void> => {
  let isOver = false;
  void machine.invoke('sync-scope', 1_000_000_000, task).then(() => {
    isOver = true;
  });
  while (!isOver) await machine.step(Number.MAX_SAFE_INTEGER);
};

describe('who writes', () => {
  beforeEach(() => worker(() => put(lease(1), PERIOD, ROW)));

  test('whoever took the lease may', () => {
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

  test('a worker that stood still may put a row, and never the index', async () => {
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

  test('does not matter where it had given the lease back, or its scope had ended', async () => {
    await dieWith(lease(1, 0), 'running');
    expect(await takenAfter(500_000)).toEqual([]);
    await dieWith(lease(3), 'failed');
    virtual.nowMs += 500_000;
    await worker(() => put(lease(4)));
    expect(told.violations).toEqual([]);
  });

  test('is not judged where something else went wrong meanwhile', async () => {
    await dieWith(lease(1), 'running');
    machine.mishaps++;
    expect(await takenAfter(500_000)).toEqual([]);
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
    // Decided long before it is stored: that does not count.
    moved_at_ms: 0,
  });
  const held = (sk: string, isHeld: boolean): Item => ({ pk: CONNECTION, sk, expires_at_ms: isHeld ? 60_000 : 0 });

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
  ])('is told of a %s', async (waitsFor, sk) => {
    await waits(waitsFor, sk, async () => {
      virtual.nowMs += 30_000;
      await put(task(3, null));
    });
    expect(told.violations).toEqual([expect.stringContaining(`waited 30 s for a ${waitsFor} that is free`)]);
  });

  test('does not matter where the task goes on at once', async () => {
    await waits('login', SLOT, () => put(task(3, null)));
    expect(told.violations).toEqual([]);
  });

  test('does not matter while a worker has the slot, nor for another reason to wait', async () => {
    await waits('login', SLOT, async () => {
      await put(held(SLOT, true));
      virtual.nowMs += 30_000;
      await put(task(3, 'run'), held(SLOT, false));
      virtual.nowMs += 30_000;
      await put(task(4, null));
    });
    expect(told.violations).toEqual([]);
  });

  test('is not judged where something went wrong meanwhile, though the task goes on to wait', async () => {
    await waits('login', SLOT, async () => {
      machine.mishaps++;
      virtual.nowMs += 30_000;
      await put(task(3, 'lease'));
    });
    expect(told.violations).toEqual([]);
  });
});

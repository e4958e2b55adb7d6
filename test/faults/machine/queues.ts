/**
 * Queues as AWS promises them: at least once, in any order, sometimes late; and, beyond that promise, sometimes a
 * message is lost. A message that a worker does not finish returns after the visibility time; after the maximum number
 * of receives it is dead.
 */
import type { Machine } from './machine.ts';
import { virtual } from './virtual-process.ts';

export type Handler = (body: string, id: string) => Promise<{ died: true } | { died: false; failed: boolean }>;

const RECEIVES_MAX = 4;
const VISIBILITY_MS: readonly number[] = [30_000, 120_000, 400_000, 1_800_000];
const LATE_MS: readonly number[] = [1_000, 20_000, 90_000, 300_000];
const DELIVERY_MS_MAX = 40;

export class Queues {
  private readonly machine: Machine;
  private readonly handle: (queue: string) => Handler;
  private ids = 0;
  dead = 0;
  /** Every body that was sent. */
  readonly sent: string[] = [];
  /** Messages that wait, by queue. */
  readonly waiting = new Map<string, number>();
  /** The next message of this queue is lost. */
  losesNext: string | null = null;
  /** Messages of others in every queue. */
  extra = 0;

  constructor(machine: Machine, handle: (queue: string) => Handler) {
    this.machine = machine;
    this.handle = handle;
  }

  send(queue: string, body: string, delaySeconds: number): object {
    const { random, faults } = this.machine;
    this.sent.push(body);
    if (this.losesNext === queue) {
      this.losesNext = null;
      return {};
    }
    if (random.chance(faults.lost)) {
      this.machine.mishaps++;
      this.machine.tell(`a message of ${queue} is lost`);
      return {};
    }
    for (let copies = random.chance(faults.doubled) ? 2 : 1; copies > 0; copies--) {
      const isLate = random.chance(faults.late);
      if (isLate) this.machine.mishaps++;
      const lateMs = isLate ? random.pick(LATE_MS) : random.int(0, DELIVERY_MS_MAX);
      this.receive(queue, body, virtual.nowMs + delaySeconds * 1_000 + lateMs, 1);
    }
    return {};
  }

  /** The length that the queue reports. */
  length(queue: string): number {
    return (this.waiting.get(queue) ?? 0) + this.extra;
  }

  private count(queue: string, by: number): void {
    this.waiting.set(queue, (this.waiting.get(queue) ?? 0) + by);
  }

  private receive(queue: string, body: string, dueMs: number, times: number): void {
    this.count(queue, 1);
    this.machine.at(dueMs, () => {
      this.count(queue, -1);
      void this.handle(queue)(body, `message-${++this.ids}`).then((end) => {
        if (!end.died && !end.failed) return;
        if (times >= RECEIVES_MAX) {
          this.dead++;
          return;
        }
        this.receive(queue, body, virtual.nowMs + this.machine.random.pick(VISIBILITY_MS), times + 1);
      });
    });
  }
}

/**
 * A client that mirrors the changes of a connection: it reads pages, folds them into a copy, and stores the cursor with
 * the copy. Its calls wait for their own turns, so the table changes between them; it dies, forgets, and starts again
 * over an old copy.
 */
import { readChanges } from '#shared/rows/read/read-changes.store.ts';
import type { RowChange } from '#shared/rows/read/read-round.store.ts';
import type { Row } from '#shared/scopes/scope.ts';
import type { Random } from '#test/helpers/random.ts';
import type { Item } from '../table/values.ts';
import { TurnTaker } from './turns.ts';

export interface MirroredRow {
  scope: string;
  period: string;
  row: Row;
}

/** All readers of the changes of a history. */
export interface Feed {
  readonly violations: string[];
  onStored(before: Item | undefined, after: Item | undefined): void;
  /** Called after each command of the table. */
  onSent(): void;
  /** Called after each step of the machine. */
  onStep(): Promise<void>;
  /** The patient reader reads to the end. Returns the number of changes that it received of scopes with periods. */
  catchUp(): Promise<number>;
  check(): Promise<string[]>;
}

/** More pages than any history has changes: a reader that makes no progress would read forever. */
const PAGES_MAX = 2_000;

interface Whose {
  organizationId: string;
  connectionId: string;
}

export class ChangeReader {
  /** `scope|id` → row. */
  readonly mirror = new Map<string, MirroredRow>();
  readonly violations: string[] = [];
  /** Number of changes received, by scope. */
  readonly changes = new Map<string, number>();
  private readonly whose: Whose;
  private readonly random: Random;
  private readonly sequences = new Map<string, number>();
  private readonly limits: readonly number[];
  private cursor: string | null = null;
  private readonly turns: TurnTaker;

  constructor(whose: Whose, random: Random) {
    this.whose = whose;
    this.random = random;
    this.turns = new TurnTaker(random);
    this.limits = random.pick([[1], [1, 2, 3], [50]]);
  }

  private get request() {
    return { ...this.whose, filter: null, cursor: this.cursor, limit: this.random.pick(this.limits) };
  }

  private fold(changes: readonly RowChange[]): void {
    for (const { change, scope, id, sequence, period, row } of changes) {
      this.changes.set(scope, (this.changes.get(scope) ?? 0) + 1);
      if (sequence < (this.sequences.get(scope) ?? 0)) this.violations.push(`the sequence of ${scope} fell`);
      this.sequences.set(scope, sequence);
      if (change === 'deleted') this.mirror.delete(`${scope}|${id}`);
      else this.mirror.set(`${scope}|${id}`, { scope, period, row: row! });
    }
  }

  /**
   * Reads a page, whose calls wait for turns; then folds its rows and stores its cursor in one step, or does neither.
   */
  private begin(): void {
    this.turns.begin(
      () => readChanges(this.request),
      (page) => {
        if (!page) return;
        this.fold(page.changes);
        // If only the copy is stored and not the cursor, the next page repeats the same changes.
        if (!this.random.chance(0.1)) this.cursor = page.nextCursor;
      },
      (error) => this.violations.push(`a page of changes failed: ${(error as Error).stack}`),
    );
  }

  /** Makes the next step if one is due. */
  step(eagerness: number): void {
    const { random } = this;
    if (this.turns.isBusy) this.turns.step();
    if (this.turns.isBusy || !random.chance(eagerness)) return;
    if (random.chance(0.1)) this.cursor = null;
    this.begin();
  }

  /** Reads until no change is left; nothing changes meanwhile. */
  async catchUp(): Promise<void> {
    this.turns.die();
    for (let pages = 0; pages < PAGES_MAX; pages++) {
      const page = await readChanges(this.request);
      if (!page) return;
      if (page.hasMore && page.nextCursor === this.cursor) break;
      this.fold(page.changes);
      this.cursor = page.nextCursor;
      if (!page.hasMore) return;
    }
    this.violations.push('the changes have no end');
  }
}

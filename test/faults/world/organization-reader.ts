/**
 * A client that mirrors all connections of an organization by its one feed: it reads the feed of a connection only when
 * the organization's feed names it, and stores the organization's cursor after that. It dies and begins again as a
 * `ChangeReader` does.
 */
import { readChanges } from '#shared/rows/read/read-changes.store.ts';
import { readOrganizationChanges } from '#shared/rows/read/read-organization-changes.store.ts';
import type { RowChange } from '#shared/rows/read/read-round.store.ts';
import type { Random } from '#test/helpers/random.ts';
import type { MirroredRow } from './change-reader.ts';
import { TurnTaker } from './turns.ts';

/** More pages than any history has changes: a reader that makes no progress would read forever. */
const PAGES_MAX = 2_000;

interface ConnectionCopy {
  cursor: string | null;
  /** `scope|id` → row. */
  rows: Map<string, MirroredRow>;
}

export class OrganizationReader {
  readonly violations: string[] = [];
  /** Ids of connections whose deletion was received, each time. */
  readonly deletions: string[] = [];
  /** Number of entries received, by scope. */
  readonly entries = new Map<string, number>();
  private readonly organizationId: string;
  private readonly random: Random;
  private readonly limit: number;
  private readonly turns: TurnTaker;
  private readonly copies = new Map<string, ConnectionCopy>();
  private cursor: string | null = null;

  constructor(organizationId: string, random: Random, limit: number = random.pick([1, 2, 50])) {
    this.organizationId = organizationId;
    this.random = random;
    this.limit = limit;
    this.turns = new TurnTaker(random);
  }

  mirrorOf(connectionId: string): ReadonlyMap<string, MirroredRow> {
    return this.copies.get(connectionId)?.rows ?? new Map();
  }

  private copyOf(connectionId: string): ConnectionCopy {
    const copy = this.copies.get(connectionId) ?? { cursor: null, rows: new Map() };
    this.copies.set(connectionId, copy);
    return copy;
  }

  private fold({ rows }: ConnectionCopy, changes: readonly RowChange[]): void {
    for (const { change, scope, id, period, row } of changes) {
      if (change === 'deleted') rows.delete(`${scope}|${id}`);
      else rows.set(`${scope}|${id}`, { scope, period, row: row! });
    }
  }

  /** Reads the feed of a connection to its end. Each page and its cursor are stored together. */
  private async readConnection(connectionId: string): Promise<void> {
    const { organizationId, limit } = this;
    for (let pages = 0; pages < PAGES_MAX; pages++) {
      const copy = this.copyOf(connectionId);
      const page = await readChanges({ organizationId, connectionId, filter: null, cursor: copy.cursor, limit });
      if (!page) {
        this.copies.delete(connectionId);
        return;
      }
      this.fold(copy, page.changes);
      copy.cursor = page.nextCursor;
      if (!page.hasMore) return;
    }
    this.violations.push(`the changes of ${connectionId} have no end`);
  }

  /** Reads a page of the organization's feed and the feeds that it names. Returns true if more entries follow. */
  private async readPage(): Promise<boolean> {
    const { organizationId, cursor, limit } = this;
    const page = await readOrganizationChanges({ organizationId, cursor, limit }, null);
    for (const change of page.changes) {
      if (change.kind === 'tenders_changed') continue;
      if (change.kind === 'changed') {
        this.entries.set(change.scope, (this.entries.get(change.scope) ?? 0) + 1);
        await this.readConnection(change.connectionId);
      } else {
        this.deletions.push(change.connectionId);
        this.copies.delete(change.connectionId);
      }
    }
    this.cursor = page.nextCursor;
    return page.hasMore;
  }

  /** Makes the next step if one is due. */
  step(eagerness: number): void {
    const { random } = this;
    if (this.turns.isBusy) this.turns.step();
    if (this.turns.isBusy || !random.chance(eagerness)) return;
    if (random.chance(0.05)) this.cursor = null;
    this.turns.begin(
      () => this.readPage(),
      () => undefined,
      (error) => this.violations.push(`a page of the organization failed: ${(error as Error).stack}`),
    );
  }

  /** Reads until no entry is left; nothing changes meanwhile. */
  async catchUp(): Promise<void> {
    this.turns.die();
    for (let pages = 0; pages < PAGES_MAX; pages++) if (!(await this.readPage())) return;
    this.violations.push('the changes of the organization have no end');
  }
}

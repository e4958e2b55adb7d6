/** Rows that the institution holds. Rows are added, changed and moved, and removed only when a month closes. */
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import type { Parsed } from '#shared/sources/source.ts';
import type { Random } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { openingOf, tellStatements, withBalances } from './statements.ts';

export const PERIODS = ['2026-09', '2026-10'] as const;

interface Held {
  period: string | null;
  row: Row;
}

/** Documents of a sales book stay in their month. */
const mayMove = ({ totals }: ScopeDefinition, row: Row): boolean =>
  !Object.entries(totals?.neverMoves ?? { '': null }).every(([field, value]) => row[field] === value);

const idOf = (scope: ScopeDefinition, row: Row): string => JSON.stringify(scope.naturalKey(row));

export class Ledger {
  readonly scopes: readonly ScopeDefinition[];
  private readonly random: Random;
  private readonly held = new Map<string, Map<string, Held>>();
  /** `scope|row` of rows that the institution stopped showing. */
  private readonly gone = new Set<string>();
  /** `scope|period|account` of closed statements. */
  private readonly closed = new Set<string>();
  /** Rows that corrections of closed statements removed. */
  private readonly taken: { scope: string; id: string; held: Held }[] = [];
  private count = 0;

  constructor(random: Random, scopes: readonly ScopeDefinition[]) {
    this.random = random;
    this.scopes = scopes;
    for (const scope of scopes) this.held.set(scope.name, new Map());
  }

  rowsOf(scope: string, period: string | null): Row[] {
    return this.told(scope, (held) => held.period === period);
  }

  /** What the bank says about each account of a month; nothing for scopes without statements. */
  statementsOf(scope: string, period: string | null): Parsed[] {
    // The bank has no statement of the running month yet.
    if (period === null || !this.hasStatements(scope) || !PERIODS.some((known) => known === period)) return [];
    return tellStatements([...this.held.get(scope)!.values()], period, this.closedAccounts(scope, period));
  }

  opening(scope: string, period: string, account: string): string {
    return openingOf([...this.held.get(scope)!.values()], account, period);
  }

  private hasStatements(scope: string): boolean {
    return this.scopes.some(({ name, statement }) => name === scope && statement !== undefined);
  }

  private told(scope: string, isWanted: (held: Held) => boolean): Row[] {
    const all = [...this.held.get(scope)!.values()];
    const wanted = all.filter(isWanted);
    const hasBalances = this.scopes.some(({ name, walk }) => name === scope && walk !== undefined);
    return hasBalances ? withBalances(all, wanted) : wanted.map(({ row }) => row);
  }

  /** Codes of scopes with tenders. */
  codigos(): string[] {
    return this.scopes.flatMap(({ name }) => this.all(name).flatMap(({ codigo }) => (codigo ? [String(codigo)] : [])));
  }

  all(scope: string): Row[] {
    return this.told(scope, () => true);
  }

  closedAccounts(scope: string, period: string | null): string[] {
    const prefix = `${scope}|${period}|`;
    return [...this.closed].filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length));
  }

  private make(scope: ScopeDefinition, period: string): Row {
    const row = ROW_MAKERS[`${scope.source}.${scope.name}`]!(this.random, period, ++this.count);
    if (!scope.statement) return row;
    return { ...row, provisional: !this.isClosed(scope, period, row) };
  }

  private isClosed(scope: ScopeDefinition, period: string, row: Row): boolean {
    return this.closed.has(`${scope.name}|${period}|${row.numero_cuenta}`);
  }

  /** Adds rows; a closed month gets no more. */
  add(rows: number): void {
    for (let n = 0; n < rows; n++) {
      const scope = this.random.pick(this.scopes);
      const period = this.random.pick(PERIODS);
      const row = this.make(scope, period);
      if (scope.statement && this.isClosed(scope, period, row)) continue;
      this.held.get(scope.name)!.set(idOf(scope, row), { period: scope.periodic ? period : null, row });
    }
  }

  /** Documents that can move get another content, facet or month; other rows get another content under the same key. */
  change(): void {
    const scope = this.random.pick(this.scopes);
    const all = [...this.held.get(scope.name)!];
    if (all.length === 0 || scope.statement) return;
    const [id, held] = this.random.pick(all);
    const to = scope.fullRow && held.period !== null ? this.random.pick(PERIODS) : held.period;
    this.rewrite(scope, id, held, mayMove(scope, held.row) ? to : held.period);
  }

  /** Stops showing a row that no statement has closed. */
  hide(): void {
    const scope = this.random.pick(this.scopes);
    const all = [...this.held.get(scope.name)!];
    if (all.length === 0 || scope.statement || !scope.periodic) return;
    const [id] = this.random.pick(all);
    this.held.get(scope.name)!.delete(id);
    this.gone.add(`${scope.name}|${id}`);
  }

  /** @param row as held or listed: both contain the fields of its identity */
  isGone(scope: ScopeDefinition, row: Row): boolean {
    return this.gone.has(`${scope.name}|${idOf(scope, row)}`) && !this.held.get(scope.name)!.has(idOf(scope, row));
  }

  /** Every document gets another content in its month: the number of rows stays the same. */
  revise(): void {
    for (const scope of this.scopes.filter(({ statement }) => !statement))
      for (const [id, held] of [...this.held.get(scope.name)!]) this.rewrite(scope, id, held, held.period);
  }

  /** Moves every document to the other month. */
  swap(): void {
    for (const scope of this.scopes.filter(({ fullRow }) => fullRow !== null))
      for (const [id, held] of [...this.held.get(scope.name)!])
        if (mayMove(scope, held.row))
          this.rewrite(scope, id, held, held.period === PERIODS[0] ? PERIODS[1] : PERIODS[0]);
  }

  private rewrite(scope: ScopeDefinition, id: string, { row }: Held, to: string | null): void {
    const fresh = { ...this.make(scope, to ?? PERIODS[0]) };
    const kept = scope.fullRow
      ? ['codigo', 'folio', 'document_type', 'direction', 'issuer_rut', 'receiver_rut', ...(scope.facts ?? [])]
      : Object.keys(row);
    const changed = {
      ...fresh,
      ...Object.fromEntries(kept.filter((field) => field in row).map((field) => [field, row[field]])),
    };
    if (scope.name === 'boletas') changed.total_amount = String(this.random.int(1, 99_999));
    if (idOf(scope, changed) !== id) return;
    this.held.get(scope.name)!.set(id, { period: to, row: changed });
  }

  /** Closes the statement of an account and month: final rows replace the provisional ones. */
  close(): void {
    const scope = this.random.pick(this.scopes);
    if (!scope.statement) return;
    const period = this.random.pick(PERIODS);
    const rows = this.rowsOf(scope.name, period);
    if (rows.length === 0) return;
    const account = this.random.pick(rows).numero_cuenta as string;
    const held = this.held.get(scope.name)!;
    if (this.closed.has(`${scope.name}|${period}|${account}`)) return;
    this.closed.add(`${scope.name}|${period}|${account}`);
    const own = [...held].filter(([, { row, period: of }]) => of === period && row.numero_cuenta === account);
    for (const [at, [id, { row }]] of own.entries()) {
      held.delete(id);
      // A statement is never empty.
      if (this.random.chance(0.6) || at === own.length - 1)
        held.set(id, { period, row: { ...row, provisional: false } });
    }
  }

  /** Changes a closed statement: one movement less, or one that was removed returns. */
  correct(): void {
    if (this.taken.length > 0 && this.random.chance(0.4)) {
      const { scope, id, held } = this.taken.pop()!;
      this.held.get(scope)!.set(id, held);
      return;
    }
    const scope = this.random.pick(this.scopes);
    const final = [...this.held.get(scope.name)!].filter(
      ([, { row, period }]) => scope.statement && period !== null && this.isClosed(scope, period, row),
    );
    if (final.length === 0) return;
    const [id, held] = this.random.pick(final);
    const isOfSame = ([, { row, period }]: (typeof final)[number]) =>
      period === held.period && row.numero_cuenta === held.row.numero_cuenta;
    if (final.filter(isOfSame).length < 2) return;
    this.held.get(scope.name)!.delete(id);
    this.taken.push({ scope: scope.name, id, held });
  }
}

/** Checks every write: which act makes it, what it does to which grant, and what no write may ever do. */
import type { Machine } from '../machine/machine.ts';
import { owners, virtual } from '../machine/virtual-process.ts';
import type { SimulatedTable } from '../table/simulated-table.ts';
import type { Item } from '../table/values.ts';
import type { Act, Line, Moment } from './line.ts';

export interface Watch {
  /** Number of the latest event. */
  seq: number;
  violations: string[];
  /** Acts by the name of their invocation. */
  acts: Map<string, Act>;
  lines: Line[];
  /** Whether TTL is deleting now. */
  isTtl: boolean;
}

/** Fields of a grant that any act may update at any time. */
const NOTES = ['last_used_at', 'expires_at_epoch'];

const withoutNotes = (item: Item): string =>
  JSON.stringify(Object.entries(item).filter(([name]) => !NOTES.includes(name)));

const note = ({ facts }: Line, moment: Moment, before: Item | undefined, after: Item): void => {
  if (before === undefined) facts.created = moment;
  if (after.revoked_at !== undefined && before?.revoked_at === undefined) facts.revoked = moment;
  if (before === undefined || (after.generation === before.generation && after.siblings === before.siblings)) return;
  if (moment.by.kind === 'redeem') facts.redeemed = moment;
  if (moment.by.kind === 'refresh') facts.issues.push({ ...moment, from: moment.by.token!.generation });
};

export const watchTable = (table: SimulatedTable, machine: Machine, lines: Line[]): Watch => {
  const watch: Watch = { seq: 0, violations: [], acts: new Map(), lines, isTtl: false };
  const blame = (act: Act | undefined, what: string): void =>
    void watch.violations.push(`${act?.name ?? 'nobody'}: ${what}`);

  const lineOf = (item: Item): Line | undefined =>
    watch.lines.find(
      ({ grantId }) => grantId === item.id || grantId === item.grant_id || grantId === item.credential_id,
    );

  /** Returns what is wrong about the write, and records its facts in the grant's line. */
  const onGrant = (act: Act | undefined, before: Item | undefined, after: Item | undefined): string | undefined => {
    const line = lineOf((after ?? before)!);
    if (line === undefined) return 'wrote a grant without a request';
    if (after === undefined) {
      line.facts.goneSeq = watch.seq;
      return undefined;
    }
    if (act?.line !== line) return 'changed another grant';
    note(line, { seq: watch.seq, atMs: virtual.nowMs, by: act }, before, after);
    if (before === undefined) return act.kind === 'consent' ? undefined : 'made a grant that was gone';
    if (before.revoked_at !== undefined && withoutNotes(before) !== withoutNotes(after))
      return 'changed a grant that had ended';
    return Number(after.generation) < Number(before.generation) ? 'took a generation back' : undefined;
  };

  table.onStored = (before, after) => {
    watch.seq++;
    const item = (after ?? before)!;
    const owner = owners.getStore() as { name?: string } | undefined;
    const act = watch.isTtl ? undefined : watch.acts.get(owner?.name ?? '');
    if (act !== undefined && !act.isRightful && act.kind !== 'use') blame(act, `wrote ${item.sk} without a right to`);
    const wrong = String(item.sk).startsWith('GRANT#') ? onGrant(act, before, after) : undefined;
    if (wrong !== undefined) blame(act, wrong);
    const [counted, grantId, minute] = String(item.sk).split('#');
    if (counted === 'REFRESH' && minute !== undefined && after !== undefined)
      watch.lines.find((line) => line.grantId === grantId)?.facts.refreshesOf.set(Number(minute), Number(after.starts));
    const codeOf = item.sk === 'CODE' ? watch.lines.find(({ grantId }) => grantId === item.grant_id) : undefined;
    if (codeOf !== undefined && after === undefined) codeOf.facts.codeGoneSeq = watch.seq;
    if (item.sk === 'CODE' && before?.used_by !== undefined && after !== undefined && before.used_by !== after.used_by)
      blame(act, 'spent a code that was spent');
    machine.tell(`${act?.name ?? 'ttl'} stores ${item.sk}${after === undefined ? ': gone' : ''}`);
  };
  return watch;
};

/** The table of one scope: every cell is given to the real adapter and its rows are compared with the good ones. */
import { hash } from 'node:crypto';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import {
  type JsonObject,
  type Notice,
  type PullRequest,
  type RawAnswer,
  SessionExpired,
  SourceError,
} from '#shared/sources/source.ts';
import { namedDocuments } from '#shared/tenders/tender-items.ts';
import { addMonths } from '#shared/values/dates.ts';
import { canonicalDecimal } from '#shared/values/decimals.ts';
import { type KnownAccounts, learnAccounts, type SeenAccount } from '#shared/values/known-accounts.ts';
import type { SourceFolder } from '#test/helpers/source-folders.ts';
import { tieOutNotices } from '#test/helpers/tie-out.ts';
import { createAsk, createClock, createIo, type TestClock } from '#test/unit/sources/ask.ts';
import { bodyCells, type Cell, otherUnitCells, swapCells, text } from './cells.ts';
import { fileCells } from './file-cells.ts';
import { jsonCells } from './json-cells.ts';
import { jsonOf } from './json-edit.ts';
import { csvCells, statementCells } from './line-cells.ts';
import { pageCells } from './page-cells.ts';
import { recorded, recordedAnew, type WireAnswer, withLie } from './wire.ts';

export interface Unit {
  period: string | null;
  tender?: string;
}

export interface Stage {
  folder: SourceFolder;
  scope: ScopeDefinition;
  credentials: JsonObject;
  url: string;
  /**
   * What earlier readings reported of accounts and statements, so that the wrong answers reach a connection with such
   * rows.
   */
  known: KnownAccounts;
  /** The sandbox uses the time of the current reading. */
  clock: { now: TestClock };
  hasFiles: boolean;
}

interface Read {
  accounts: SeenAccount[];
  /** Natural key → the row as it would be stored. */
  rows: Map<string, string>;
  notices: Set<string>;
}

/**
 * same: the rows of the good answer; reported: other rows, and a notice; false_ok: other rows and no notice; crash: an
 * error that is not the source's.
 */
export type Judgement = 'same' | 'reported' | 'refused' | 'false_ok' | 'crash';

export interface Judged {
  name: string;
  judgement: Judgement;
  detail: string;
}

/** 19.00 and 19 are the same number: a changed answer is serialized again. */
const canonical = (row: Row): string =>
  JSON.stringify(row, (_, value: unknown) =>
    typeof value === 'string' && /^-?\d+\.\d+$/.test(value) ? canonicalDecimal(value) : value,
  );

/** Sorts the child rows of a row by their positions, because their order of arrival does not matter. */
const withPartsInOrder = ({ childRows }: ScopeDefinition, row: Row): Row => {
  const own = childRows && row[childRows.field];
  if (!Array.isArray(own)) return row;
  return {
    ...row,
    [childRows!.field]: own.toSorted((a, b) => (childRows!.position(a) ?? 0) - (childRows!.position(b) ?? 0)),
  };
};

const read = ({ folder, scope, credentials, known }: Stage, unit: Unit, kept: Iterable<RawAnswer>): Read => {
  const rows = new Map<string, string>();
  const notices = new Set<string>();
  const accounts: SeenAccount[] = [];
  const note = ({ code, message }: Notice): void => void notices.add(`${code}: ${message}`);
  const parsed = [...folder.source.parse({ ...unit, scope: scope.name, credentials, known }, [...kept])];
  for (const item of parsed) {
    if ('row' in item) {
      const checked = scope.parsed.safeParse(item.row.row);
      if (!checked.success) throw new SourceError('source.unexpected_response', 'a row cannot be read');
      const row = checked.data as Row;
      rows.set(JSON.stringify(scope.naturalKey(row)), canonical(withPartsInOrder(scope, row)));
    } else if ('notice' in item) note(item.notice);
    // The wrong answer counts as a second reading after the good one.
    else if ('whereKept' in item) note(item.whereKept);
    else if ('unreadable' in item) note(item.unreadable);
    else if ('absent' in item) note(item.absent);
    else if ('closed' in item) rows.set(`closed ${item.closed}`, '');
    else if ('account' in item) accounts.push(item.account);
  }
  // Adds the notices that a run gives when these rows are all stored rows.
  if (scope.totals) for (const told of tieOutNotices(scope, unit.period ?? '', parsed)) note(told);
  return { rows, notices, accounts };
};

const FILE = 'file ';
const OWNER = '11111111-1111-4111-8111-111111111111';

const rowOf = (file: Uint8Array): string => JSON.stringify(hash('sha256', file));

/** Adds each new file that would be stored as one more row: its document and its bytes. */
const fetchFiles = async (
  { folder, scope, url, clock }: Stage,
  session: JsonObject,
  request: PullRequest,
  listed: Read,
): Promise<Read> => {
  const [rows, notices] = [new Map(listed.rows), new Set(listed.notices)];
  const documents = [...rows]
    .filter(([key]) => !key.startsWith(FILE))
    .flatMap(([, row]) => namedDocuments(OWNER, scope, JSON.parse(row)))
    .filter(({ id }) => !rows.has(FILE + id));
  const wanted = documents.map(({ id, name, locator }) => ({ id, name, locator: locator as JsonObject }));
  for await (const file of folder.source.tenders!.files(request, wanted, session, createIo(url, clock.now))) {
    if ('notice' in file) notices.add(`${file.notice.code}: ${file.notice.message}`);
    else {
      rows.set(FILE + file.id, rowOf(file.body));
      if (file.warning) notices.add(`${file.warning.code}: ${file.warning.message}`);
    }
  }
  return { ...listed, rows, notices };
};

const requestOf = ({ scope, credentials, known }: Stage, unit: Unit): PullRequest => ({
  ...unit,
  scope: scope.name,
  credentials,
  metadata: {},
  input: {},
  known,
});

const runOnce = async (stage: Stage, session: JsonObject, unit: Unit): Promise<Read> => {
  const { folder, url } = stage;
  const asked = createAsk();
  stage.clock.now = createClock();
  const request = requestOf(stage, unit);
  await folder.source.pull(request, {
    session,
    ask: asked.ask,
    io: createIo(url, stage.clock.now),
    progress: () => undefined,
  });
  const told = read(stage, unit, asked.kept.values());
  return stage.hasFiles ? fetchFiles(stage, session, request, told) : told;
};

/** Fetches the replaced files once more; everything else stays as it was. */
const fetchAgain = (
  stage: Stage,
  session: JsonObject,
  unit: Unit,
  good: Read,
  { lies }: Cell,
  own: readonly WireAnswer[],
): Promise<Read> => {
  const lost = new Set(own.filter(({ key }) => lies.has(key)).map(({ body }) => rowOf(body)));
  const rows = new Map([...good.rows].filter(([key, row]) => !key.startsWith(FILE) || !lost.has(row)));
  return fetchFiles(stage, session, requestOf(stage, unit), { ...good, rows });
};

const isSame = (a: Read, b: Read): boolean =>
  a.rows.size === b.rows.size && [...a.rows].every(([key, row]) => b.rows.get(key) === row);

/** Describes the first row that differs. */
const firstDifference = (lied: Read, good: Read): string => {
  const keys = new Set([...good.rows.keys(), ...lied.rows.keys()]);
  const key = [...keys].find((one) => lied.rows.get(one) !== good.rows.get(one));
  if (key === undefined) return '';
  const [was, is] = [good, lied].map(({ rows }) => Object.entries(JSON.parse(rows.get(key) || '{}') as JsonObject));
  const other = is!.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(new Map(was).get(name)));
  const now = is!.length === 0 ? 'gone' : JSON.stringify(Object.fromEntries(other)).slice(0, 200);
  return `${key}${was!.length === 0 ? ' new' : ''}: ${now}`;
};

const tellsMore = (lied: Read, good: Read): boolean => [...lied.notices].some((notice) => !good.notices.has(notice));

/** A wrong file must not be stored, even with a notice. */
const hasOtherFiles = (lied: Read, good: Read): boolean =>
  [...lied.rows].some(([key, row]) => key.startsWith(FILE) && good.rows.get(key) !== row);

const judge = async (
  stage: Stage,
  session: JsonObject,
  unit: Unit,
  good: Read,
  cell: Cell,
  own: readonly WireAnswer[],
): Promise<Judged> => {
  const { name } = cell;
  const begun = structuredClone(session);
  try {
    const lied = await withLie(cell.lies, () =>
      stage.hasFiles ? fetchAgain(stage, begun, unit, good, cell, own) : runOnce(stage, begun, unit),
    );
    if (isSame(lied, good)) return { name, judgement: 'same', detail: '' };
    const judgement = tellsMore(lied, good) && !hasOtherFiles(lied, good) ? 'reported' : 'false_ok';
    return { name, judgement, detail: `${lied.rows.size} of ${good.rows.size} rows; ${firstDifference(lied, good)}` };
  } catch (error) {
    if (error instanceof SourceError) return { name, judgement: 'refused', detail: error.code };
    if (error instanceof SessionExpired) return { name, judgement: 'refused', detail: 'session expired' };
    return { name, judgement: 'crash', detail: String(error) };
  }
};

/** Uses the first answer with a body, because a redirect has no body. */
const formCells = (answers: readonly WireAnswer[], isMonthly: boolean): Cell[] => {
  const filled = answers.filter(({ body }) => body.length > 0);
  const [first] = filled;
  if (first === undefined) return [];
  const start = text(first.body.subarray(0, 2_000)).trimStart();
  if (/^1[\dK]{10}/.test(start)) return statementCells(filled);
  if (start.startsWith('<')) return pageCells(filled);
  if (jsonOf(first.body) === undefined && start.includes(';')) return csvCells(filled);
  return jsonCells(filled, isMonthly);
};

const cellsOf = (
  kind: string,
  answers: readonly WireAnswer[],
  others: readonly WireAnswer[],
  { isMonthly, areFiles }: { isMonthly: boolean; areFiles: boolean },
): Cell[] => {
  const cells = areFiles
    ? [...fileCells(answers), ...otherUnitCells(answers, others)]
    : [
        ...bodyCells(answers),
        ...formCells(answers, isMonthly),
        ...swapCells(answers),
        ...otherUnitCells(answers, others),
      ];
  const named = cells.map(({ name, lies }) => ({ name: `${kind}: ${name}`, lies }));
  const names = new Set(named.map(({ name }) => name));
  if (names.size < named.length) throw new Error(`two cells of ${kind} have one name`);
  return named;
};

/** Collects what earlier readings reported; for the month of a statement, the neighbouring months are also read. */
const learn = async (stage: Stage, session: JsonObject, { period, ...unit }: Unit): Promise<void> => {
  const see = async (month: string | null): Promise<void> => {
    const { accounts } = await runOnce(stage, session, { ...unit, period: month });
    stage.known = learnAccounts(stage.known, month, accounts);
  };
  await see(period);
  if (period === null || !stage.scope.statement) return;
  for (const distance of [-1, 1]) await recordedAnew(() => see(addMonths(period, distance)));
};

/** Selected cells of every kind of answer that one unit of the scope needs. */
export const judgeUnit = async (
  stage: Stage,
  session: JsonObject,
  unit: Unit,
  other: Unit | undefined,
  isWanted: (name: string) => boolean,
  kinds = /./,
): Promise<Judged[]> => {
  // Uses the session after the first reading: the requests that begin a session are not sent again.
  await runOnce(stage, session, unit);
  const answers = await recorded(() => runOnce(stage, session, unit));
  const others = other === undefined ? [] : await recorded(() => runOnce(stage, session, other));
  await learn(stage, session, unit);
  const good = await runOnce(stage, structuredClone(session), unit);
  const otherKinds = Map.groupBy(others, ({ kind }) => kind);
  const form = { isMonthly: unit.period !== null, areFiles: stage.hasFiles };
  const judged: Judged[] = [];
  for (const [kind, own] of Map.groupBy(answers, (answer) => answer.kind)) {
    if (!kinds.test(kind)) continue;
    const cells = cellsOf(kind, own, otherKinds.get(kind) ?? [], form).filter(({ name }) => isWanted(name));
    for (const cell of cells) judged.push(await judge(stage, session, unit, good, cell, own));
  }
  return judged;
};

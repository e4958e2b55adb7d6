// Keeps the tenders that an organization reads in SQLite, as they are served: a change names what to read again.
import { DatabaseSync } from 'node:sqlite';

interface Answer {
  data: unknown;
  feed?: { next_cursor: string; has_more: boolean };
  pagination?: { has_more: boolean };
}

const { API, KEY, MIRROR } = process.env as Record<string, string>;
const db = new DatabaseSync(MIRROR!, { timeout: 10_000 });
db.exec(`CREATE TABLE IF NOT EXISTS tender_feed (one PRIMARY KEY, cursor);
  CREATE TABLE IF NOT EXISTS tenders (codigo, scope, row)`);

/** Undefined where the service answers one of the statuses. */
const get = async (path: string, ...without: number[]): Promise<Answer | undefined> => {
  const asked = { headers: { authorization: `Bearer ${KEY}` }, signal: AbortSignal.timeout(60_000) };
  const answer = await fetch(`${API}/procurement${path}`, asked);
  const text = await answer.text();
  if (answer.ok) return JSON.parse(text) as Answer;
  if (without.includes(answer.status)) return undefined;
  throw new Error(`${answer.status} ${text}`);
};

/** The tender itself, or every row of its list; nothing where no connection knows the tender any more. */
const readAgain = async (codigo: string, scope: string): Promise<unknown[]> => {
  const path = `/licitaciones/${codigo}`;
  if (scope === 'licitaciones') return [await get(path, 404)].flatMap((found) => (found ? [found.data] : []));
  const rows: unknown[] = [];
  for (let page: Answer | undefined; ; ) {
    page = await get(`${path}/${scope}?limit=200&offset=${rows.length}`, 404);
    rows.push(...((page?.data ?? []) as unknown[]));
    if (!page?.pagination?.has_more) return rows;
  }
};

const find = db.prepare('SELECT cursor FROM tender_feed');
let changes = 0;
for (let more = true; more; ) {
  const kept = find.get()?.cursor;
  const page = await get(`/changes?limit=200${kept ? `&cursor=${kept}` : ''}`, 410);
  const told = (page?.data ?? []) as { codigo: string | null; scope: string | null }[];
  // Of a connection that was deleted: whatever is known may be another reading now.
  const known = told.some(({ codigo }) => codigo === null) ? db.prepare('SELECT codigo, scope FROM tenders').all() : [];
  const places = new Map([...told, ...known].map(({ codigo, scope }) => [`${codigo} ${scope}`, { codigo, scope }]));
  const read: [string, string, unknown[]][] = [];
  for (const { codigo, scope } of places.values())
    if (codigo !== null) read.push([`${codigo}`, `${scope}`, await readAgain(`${codigo}`, `${scope}`)]);
  db.exec('BEGIN IMMEDIATE');
  if (find.get()?.cursor !== kept) {
    db.exec('ROLLBACK'); // Another run was quicker, its rows are newer: ask again.
    continue;
  }
  if (page === undefined) db.exec('DELETE FROM tender_feed; DELETE FROM tenders');
  else db.prepare('INSERT OR REPLACE INTO tender_feed VALUES (1, ?)').run(page.feed!.next_cursor);
  for (const [codigo, scope, rows] of read) {
    db.prepare('DELETE FROM tenders WHERE codigo = ? AND scope = ?').run(codigo, scope);
    for (const row of rows) db.prepare('INSERT INTO tenders VALUES (?, ?, ?)').run(codigo, scope, JSON.stringify(row));
  }
  db.exec('COMMIT');
  changes += told.length;
  more = page?.feed?.has_more ?? true;
}
console.log(changes, 'changes');

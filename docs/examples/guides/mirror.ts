// Keeps a connection's rows in SQLite as the lists show them. Run it at every event, and now and then besides.
import { DatabaseSync } from 'node:sqlite';

interface Page {
  data: { change: string; scope: string; id: string; period: string | null; row: object | null }[];
  feed: { next_cursor: string; has_more: boolean };
}

const { API, KEY, CONNECTION, MIRROR } = process.env as Record<string, string>;
const db = new DatabaseSync(MIRROR!, { timeout: 10_000 });
db.exec(`CREATE TABLE IF NOT EXISTS feed (connection PRIMARY KEY, cursor);
  CREATE TABLE IF NOT EXISTS rows (connection, scope, id, period, row, PRIMARY KEY (connection, scope, id))`);
const put = db.prepare('INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, ?)');
const remove = db.prepare('DELETE FROM rows WHERE connection = ? AND scope = ? AND id = ?');
const find = db.prepare('SELECT cursor FROM feed WHERE connection = ?');

let changes = 0;
for (let more = true; more; ) {
  const kept = find.get(CONNECTION!)?.cursor;
  const query = new URLSearchParams({ limit: '200', ...(kept ? { cursor: String(kept) } : {}) });
  const asked = { headers: { authorization: `Bearer ${KEY}` }, signal: AbortSignal.timeout(60_000) };
  const answer = await fetch(`${API}/connections/${CONNECTION}/changes?${query}`, asked);
  if (!answer.ok && answer.status !== 410) throw new Error(`${answer.status} ${await answer.text()}`);
  const page = answer.ok ? ((await answer.json()) as Page) : null;
  db.exec('BEGIN IMMEDIATE'); // One transaction: rows and cursor, or neither.
  const isFirst = find.get(CONNECTION!)?.cursor === kept; // Else another run was quicker, its rows are newer: ask again.
  if (isFirst && page) {
    for (const { change, scope, id, period, row } of page.data)
      if (change === 'deleted') remove.run(CONNECTION!, scope, id);
      else put.run(CONNECTION!, scope, id, period, JSON.stringify(row));
    db.prepare('INSERT OR REPLACE INTO feed VALUES (?, ?)').run(CONNECTION!, page.feed.next_cursor);
    changes += page.data.length;
    more = page.feed.has_more;
  } else if (isFirst)
    // cursor_expired: the rows may not be true any more. Begin again with none.
    for (const table of ['feed', 'rows']) db.prepare(`DELETE FROM ${table} WHERE connection = ?`).run(CONNECTION!);
  db.exec('COMMIT');
}
console.log(changes, 'changes');

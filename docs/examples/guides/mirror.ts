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
const keep = db.prepare('INSERT OR REPLACE INTO feed VALUES (?, ?)');

let changes = 0;
for (let more = true; more; ) {
  const kept = db.prepare('SELECT cursor FROM feed WHERE connection = ?').get(CONNECTION!);
  const query = new URLSearchParams({ limit: '200', ...(kept ? { cursor: String(kept.cursor) } : {}) });
  const headers = { authorization: `Bearer ${KEY}` };
  const answer = await fetch(`${API}/connections/${CONNECTION}/changes?${query}`, { headers });
  const text = await answer.text();
  if (!answer.ok && answer.status !== 410) throw new Error(`${answer.status} ${text}`);
  db.exec('BEGIN IMMEDIATE'); // One transaction: rows and cursor, or neither.
  if (answer.status === 410) {
    // cursor_expired: the rows may not be true any more. Begin again with none.
    for (const table of ['feed', 'rows']) db.prepare(`DELETE FROM ${table} WHERE connection = ?`).run(CONNECTION!);
  } else {
    const { data, feed } = JSON.parse(text) as Page;
    for (const { change, scope, id, period, row } of data)
      if (change === 'deleted') remove.run(CONNECTION!, scope, id);
      else put.run(CONNECTION!, scope, id, period, JSON.stringify(row));
    keep.run(CONNECTION!, feed.next_cursor);
    changes += data.length;
    more = feed.has_more;
  }
  db.exec('COMMIT');
}
console.log(changes, 'changes');

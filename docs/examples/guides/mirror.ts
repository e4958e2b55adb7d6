// Keeps the rows of all connections in SQLite as the lists show them. Run it at every event, and now and then besides.
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

interface Page {
  data: { connection_id: string; scope: string; id: string; period: string | null; row: object | null }[];
  feed: { next_cursor: string; has_more: boolean };
}

const { API, KEY, MIRROR } = process.env as Record<string, string>;
const ALL = ''; // Before every connection: the feed that names those with changes.
const db = new DatabaseSync(MIRROR!, { timeout: 10_000 });
db.exec(`CREATE TABLE IF NOT EXISTS feeds (connection PRIMARY KEY, cursor, named, read);
  CREATE TABLE IF NOT EXISTS rows (connection, scope, id, period, row, PRIMARY KEY (connection, scope, id))`);
const put = db.prepare('INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, ?)');
const name = db.prepare('INSERT INTO feeds VALUES (?, NULL, 1, 0) ON CONFLICT DO UPDATE SET named = named + 1');
const unread = db.prepare('SELECT connection, cursor, named FROM feeds WHERE read < named ORDER BY connection');
const find = db.prepare('SELECT cursor FROM feeds WHERE connection = ?');
const move = db.prepare('UPDATE feeds SET cursor = ?, read = max(read, ?) WHERE connection = ?');

let changes = 0;
name.run(ALL);
for (let feed = unread.get(); feed; feed = unread.get()) {
  const [connection, cursor] = [String(feed.connection), feed.cursor];
  const path = connection === ALL ? '/changes' : `/connections/${connection}/changes`;
  const query = new URLSearchParams({ limit: '200', ...(cursor ? { cursor: String(cursor) } : {}) });
  const asked = { headers: { authorization: `Bearer ${KEY}` }, signal: AbortSignal.timeout(60_000) };
  const answer = await fetch(`${API}${path}?${query}`, asked);
  if (answer.status === 429) {
    await sleep(1000 * Number(answer.headers.get('retry-after') ?? 2)); // Too many reads in this minute.
    continue;
  }
  const isGone = answer.status === 410 || (answer.status === 404 && connection !== ALL); // Restored, or deleted.
  if (!answer.ok && !isGone) throw new Error(`${answer.status} ${await answer.text()}`);
  const page = answer.ok ? ((await answer.json()) as Page) : null;
  db.exec('BEGIN IMMEDIATE'); // One transaction: rows and cursor, or neither.
  const isFirst = find.get(connection)?.cursor === cursor; // Else another run was quicker, its rows are newer: ask again.
  if (isFirst && page) {
    for (const { connection_id, scope, id, period, row } of page.data)
      if (connection !== ALL) put.run(connection, scope, id, period, row && JSON.stringify(row));
      else if (connection_id) name.run(connection_id); // Tenders have none.
    db.exec('DELETE FROM rows WHERE row IS NULL');
    move.run(page.feed.next_cursor, page.feed.has_more ? 0 : feed.named!, connection);
    changes += connection === ALL ? 0 : page.data.length;
  } else if (isFirst) {
    // Drop the copy, all of it if the service was restored, and begin again.
    for (const table of ['feeds', 'rows'])
      db.prepare(`DELETE FROM ${table} WHERE ? IN ('', connection)`).run(connection);
    name.run(ALL);
  }
  db.exec('COMMIT');
}
console.log(changes, 'changes');

// Reads again every month that a run brought, whole: rows that are gone at the source are gone in it.
interface Run {
  scope_outcomes: { scope: string; periods: string[] }[];
}

interface Page {
  data: { id: string }[];
  pagination: { has_more: boolean };
}

const { API, KEY, CONNECTION, RUN } = process.env;

const get = async <Answer>(path: string): Promise<Answer> => {
  const answer = await fetch(`${API}/connections/${CONNECTION}${path}`, {
    headers: { authorization: `Bearer ${KEY}` },
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
};

const { data: run } = await get<{ data: Run }>(`/sync-runs/${RUN}`);
const outcome = run.scope_outcomes.find(({ scope }) => scope === 'rcv')!;

for (const period of outcome.periods.toSorted()) {
  const rows = new Map<string, object>();
  for (let offset = 0, more = true; more; offset += 50) {
    const page = await get<Page>(`/tax-rcv-documents?period=${period}&limit=50&offset=${offset}`);
    for (const row of page.data) rows.set(row.id, row);
    more = page.pagination.has_more;
  }
  // Here: replace what you keep of this connection and month by the rows, by their `id`.
  console.log(period, rows.size);
}

// Connects a login of the simulated tax authority, starts a sync and waits for its end.
import { setTimeout as sleep } from 'node:timers/promises';

interface Run {
  id: string;
  connection_id: string;
  status: string;
  finished_at: string | null;
}

const { API, KEY, SESSION, RUT } = process.env;

const call = async <Answer>(path: string, headers: Record<string, string>, body?: object): Promise<Answer> => {
  const answer = await fetch(`${API}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
};

const key = { authorization: `Bearer ${KEY}` };
const { id } = await call<{ id: string }>(
  '/connections',
  { cookie: `sb-access-token=${SESSION}` },
  {
    external_source_code: 'tax',
    name: 'Guide',
    enabled_scopes: ['rcv'],
    credentials: { rut: RUT, password: 'clave-de-prueba' },
    metadata: {},
  },
);
const started = await call<{ sync_id: string }>(
  `/connections/${id}/sync`,
  { ...key, 'idempotency-key': `first-${id}` },
  {},
);

for (;;) {
  const { data: run } = await call<{ data: Run }>(`/connections/${id}/sync-runs/${started.sync_id}`, key);
  if (run.finished_at !== null) {
    console.log(run.connection_id, run.id, run.status);
    break;
  }
  await sleep(1000);
}

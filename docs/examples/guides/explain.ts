// Tells how each scope of a run ended, and a refused request by its code.
import { setTimeout as sleep } from 'node:timers/promises';

interface Run {
  scope_outcomes: { scope: string; status: string; error_code: string | null; notices: { code: string }[] }[];
}

const { API, KEY, CONNECTION, RUN } = process.env;

/** 429 and 5xx pass: they are repeated, as `Retry-After` says. Any other refusal stays one however often it is sent. */
const get = async (path: string, triesLeft = 3): Promise<Response> => {
  const answer = await fetch(`${API}${path}`, { headers: { authorization: `Bearer ${KEY}` } });
  if ((answer.status !== 429 && answer.status < 500) || triesLeft === 0) return answer;
  await sleep(1000 * Number(answer.headers.get('retry-after') ?? 2));
  return get(path, triesLeft - 1);
};

const answer = await get(`/connections/${CONNECTION}/sync-runs/${RUN}`);
const { data: run } = (await answer.json()) as { data: Run };
for (const { scope, status, error_code, notices } of run.scope_outcomes) {
  console.log(scope, status, error_code ?? '-');
  for (const { code } of notices) console.log('notice', code);
}

const refused = await get('/connections/00000000-0000-4000-8000-000000000000');
const { error } = (await refused.json()) as { error: { code: string } };
console.log('refused', error.code);

/**
 * The code of the guides, as a reader copies it: each file runs in its own program against a local stack, and the three
 * languages give the same results.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { signReference } from '#shared/connect-links/signed-reference.rules.ts';
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import { until } from '#test/helpers/e2e-integrator.ts';
import { useStack } from '#test/helpers/e2e-stack.ts';
import type { InboxItem } from '#tools/local/inbox.ts';

const SAMPLES = join(import.meta.dirname, '../../docs/examples/guides');
/** Login of the tax authority: a small company without faults. */
const RUT = '70000002-8';
const RETRY_DELAYS_MS = [60_000, 1_800_000, 7_200_000];
const STEP_MS = 5_000;
/** Rows of a page that the samples request. */
const PAGE_ROWS = 50;

/** The program for each language, and other required programs. */
const LANGUAGES = [
  { ending: 'sh', program: 'sh', needs: ['curl', 'jq', 'openssl'] },
  { ending: 'ts', program: process.execPath, needs: [] },
  { ending: 'py', program: 'python3', needs: ['python3'] },
] as const;
type Ending = (typeof LANGUAGES)[number]['ending'];

const isThere = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;

const lacking = new Map<Ending, string[]>(
  LANGUAGES.map(({ ending, needs }) => [ending, needs.filter((program) => !isThere(program))]),
);
const present = LANGUAGES.filter(({ ending }) => lacking.get(ending)!.length === 0);

// Receivers compare timestamps with the machine's clock.
const stage = useStack({}, async () => {});

interface Ended {
  status: number | null;
  out: string;
  err: string;
}

const runSample = async (
  sample: string,
  { ending, program }: (typeof LANGUAGES)[number],
  settings: Record<string, string>,
  input = '',
): Promise<Ended> => {
  const { api, api_key, session } = stage.api.file;
  const own = { API: api, KEY: api_key, SESSION: session, RUT, ...settings };
  const child = spawn(program, [join(SAMPLES, `${sample}.${ending}`)], { env: { ...process.env, ...own } });
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { status: child.exitCode, out: out.trim(), err };
};

/** Returns the output of a sample that ended well. */
const printed = async (...call: Parameters<typeof runSample>): Promise<string> => {
  const { status, out, err } = await runSample(...call);
  expect([status, err.replaceAll(/^.*(?:ExperimentalWarning|--trace-warnings).*$/gm, '').trim()], out).toEqual([0, '']);
  return out;
};

const headersOf = ({ headers }: InboxItem, secret: string): Record<string, string> => ({
  WEBHOOK_ID: headers['webhook-id']!,
  WEBHOOK_TIMESTAMP: headers['webhook-timestamp']!,
  WEBHOOK_SIGNATURE: headers['webhook-signature']!,
  SECRET: secret,
});

const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A right delivery, and deliveries with one error each. */
const deliveries = (item: InboxItem, secret: string) => {
  const right = headersOf(item, secret);
  const old = String(Number(right.WEBHOOK_TIMESTAMP) - 301);
  return {
    genuine: { settings: right, body: item.body },
    'one of two signatures': {
      settings: { ...right, WEBHOOK_SIGNATURE: `v1,${'A'.repeat(43)}= ${right.WEBHOOK_SIGNATURE}` },
      body: item.body,
    },
    'another body': { settings: right, body: item.body.replace('"sync.', '"sink.') },
    'another id': { settings: { ...right, WEBHOOK_ID: crypto.randomUUID() }, body: item.body },
    'another secret': { settings: { ...right, SECRET: OTHER_SECRET }, body: item.body },
    'no signature': { settings: { ...right, WEBHOOK_SIGNATURE: '' }, body: item.body },
    'too old': { settings: { ...right, WEBHOOK_TIMESTAMP: old }, body: item.body },
  };
};

interface Told {
  connect: string;
  read: string;
  explain: string;
  verify: Record<string, Ended>;
  /** The printed secret, and the result for the next event with it and with the secret before. */
  rotate: { secret: string; before: string; genuine: Ended; former: Ended };
  resend: { out: string; id: string; again: string };
}
const told = new Map<Ending, Told>();
/** Answers of the API itself, for comparison. */
let counts: string[];
let outcome: { status: string; notices: { code: string }[] };

/** One month is enough for an event. */
const lastMonth = async (): Promise<string> => addMonths(santiagoPeriod(await stage.doors.nowMs()), -1);

const failed = async (endpointId: string): Promise<string> => {
  const { api, doors } = stage;
  await doors.failNext(RETRY_DELAYS_MS.length + 1, 500);
  const [{ id: connectionId }] = await api.get('/connections');
  const run = await api.finished(connectionId, await api.sync(connectionId, [await lastMonth()]), doors.jump);
  const item = await doors.webhookOf(run.id);
  let attempts = 0;
  let isPending = false;
  const look = async () => {
    const all: { id: string; status: string; attempts: number }[] = await api.get(`/webhooks/${endpointId}/deliveries`);
    const delivery = all.find(({ id }) => id === item.headers['webhook-id'])!;
    isPending = delivery.status === 'pending' && delivery.attempts > attempts;
    if (isPending) attempts = delivery.attempts;
    return delivery.status === 'failed' && delivery;
  };
  // Waits for each attempt before time moves to the next one.
  const { id } = await until('a failed delivery', look, () =>
    isPending ? doors.advance(RETRY_DELAYS_MS[attempts - 1]!) : doors.walk(STEP_MS),
  );
  return id;
};

const tell = async (language: (typeof LANGUAGES)[number], endpoint: { id: string; secret: string }): Promise<Told> => {
  const { api, doors, secrets } = stage;
  const connect = await printed('connect', language, {});
  const [CONNECTION = '', RUN = ''] = connect.split(' ');
  const read = await printed('read', language, { CONNECTION, RUN });
  const explain = await printed('explain', language, { CONNECTION, RUN });
  const item = await doors.webhookOf(RUN);
  const verify: Record<string, Ended> = {};
  for (const [name, { settings, body }] of Object.entries(deliveries(item, endpoint.secret)))
    verify[name] = await runSample('verify', language, settings, body);
  const secret = await printed('rotate', language, { ENDPOINT: endpoint.id });
  secrets.add(secret);
  const run = await api.finished(CONNECTION, await api.sync(CONNECTION, [await lastMonth()]));
  const next = await doors.webhookOf(run.id);
  const genuine = await runSample('verify', language, headersOf(next, secret), next.body);
  const former = await runSample('verify', language, headersOf(next, endpoint.secret), next.body);
  const before = endpoint.secret;
  endpoint.secret = secret;
  return {
    connect,
    read,
    explain,
    verify,
    rotate: { secret, before, genuine, former },
    resend: { out: '', id: '', again: '' },
  };
};

beforeAll(async () => {
  const { api, secrets } = stage;
  const endpoint: { id: string; secret: string } = await api.subscribe();
  secrets.add(endpoint.secret);
  for (const language of present) told.set(language.ending, await tell(language, endpoint));
  const [[id = '', runId = ''] = []] = [...told.values()].map(({ connect }) => connect.split(' '));
  const run = await api.run(id, runId);
  const [first] = run.scope_outcomes;
  outcome = first as unknown as typeof outcome;
  counts = await Promise.all(
    first!.periods.toSorted().map(async (period: string) => {
      const page = await api.documents(id, `?period=${period}&limit=1`);
      return `${period} ${page.pagination.total}`;
    }),
  );
  // From here on the stack's clock is ahead of the machine's, so no sample verifies any more.
  for (const language of present) {
    const own = told.get(language.ending)!;
    own.resend.id = await failed(endpoint.id);
    own.resend.out = await printed('resend', language, { ENDPOINT: endpoint.id });
    own.resend.again = await until('the delivery', async () => {
      const all: { id: string; status: string }[] = await api.get(`/webhooks/${endpoint.id}/deliveries`);
      const { status } = all.find(({ id: each }) => each === own.resend.id)!;
      return status !== 'delivering' && status !== 'pending' && status;
    });
  }
}, 600_000);

/** Samples that mirror the rows: `mirrors.test.ts` runs them. */
const MIRRORS = [
  'airbyte.py',
  'mirror.py',
  'mirror.ts',
  'tenders.py',
  'tenders.ts',
  'warehouse.py',
  'warehouse_tenders.py',
];

test('every sample is there in every language, and is run', () => {
  const samples = ['connect', 'explain', 'link', 'read', 'resend', 'rotate', 'verify'];
  const all = samples.flatMap((sample) => LANGUAGES.map(({ ending }) => `${sample}.${ending}`));
  expect(readdirSync(SAMPLES).sort()).toEqual([...all, ...MIRRORS].sort());
});

describe.each(LANGUAGES)('$ending', ({ ending }) => {
  const run = test.runIf(lacking.get(ending)!.length === 0);

  run('connect: prints connection, run and status', () => {
    expect(told.get(ending)!.connect).toMatch(/^[\w-]{36} [\w-]{36} succeeded$/);
  });

  run('read: every row of every month of the run, over several pages', () => {
    expect(told.get(ending)!.read.split('\n')).toEqual(counts);
    expect(counts.some((line) => Number(line.split(' ')[1]) > PAGE_ROWS)).toBe(true);
  });

  run('explain: scopes, notices, and the code of a refusal', () => {
    // The languages connect the same login one after the other.
    const isOwn = (line: string) => !line.endsWith('.login_shared');
    const notices = outcome.notices.map(({ code }) => `notice ${code}`).filter(isOwn);
    expect(told.get(ending)!.explain.split('\n').filter(isOwn)).toEqual([
      `rcv ${outcome.status} -`,
      ...notices,
      'refused connection_not_found',
    ]);
  });

  run('link: signs the reference as the service does', async () => {
    const settings = { LINK_URL: 'https://data.example/connect#x', LINK_ID: 'id', LINK_SECRET: 's', REFERENCE: 'ñ 1' };
    const language = LANGUAGES.find((each) => each.ending === ending)!;
    const address = new URL(await printed('link', language, settings));
    const { reference, expires, signature } = Object.fromEntries(new URLSearchParams(address.hash.slice(3)));
    expect(reference).toBe('ñ 1');
    expect(signature).toBe(signReference('s', 'id', { reference: 'ñ 1', expires: Number(expires) }));
  });

  run('verify: takes what is genuine and refuses everything else', () => {
    const ended = Object.entries(told.get(ending)!.verify).map(([name, { status, out }]) => [name, status, out]);
    const refused = 'refused: no signature fits';
    expect(ended).toEqual([
      ['genuine', 0, 'verified sync.succeeded'],
      ['one of two signatures', 0, 'verified sync.succeeded'],
      ['another body', 1, refused],
      ['another id', 1, refused],
      ['another secret', 1, refused],
      ['no signature', 1, refused],
      ['too old', 1, 'refused: too old or too new'],
    ]);
  });

  run('rotate: the next delivery fits the printed secret, and the former one no more', () => {
    const { secret, before, genuine, former } = told.get(ending)!.rotate;
    expect(secret).toMatch(/^whsec_/);
    expect(secret).not.toBe(before);
    expect([genuine.status, genuine.out]).toEqual([0, 'verified sync.succeeded']);
    expect([former.status, former.out]).toEqual([1, 'refused: no signature fits']);
  });

  run('resend: the failed delivery, and it arrives', () => {
    const { out, id, again } = told.get(ending)!.resend;
    expect([out, again]).toEqual([`resent ${id}`, 'delivered']);
  });
});

/**
 * Demonstrates connect links, from both sides: a person makes a link and a customer types a password that the person
 * never sees; then a program without a session signs addresses of a standing link for several customers.
 */
import { signReference } from '#shared/connect-links/signed-reference.rules.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { SANDBOX_CREDENTIALS } from '#shared/sources/tax/sandbox/credentials.ts';
import { call, type Demonstration, type DemoStack, until } from './steps.ts';

interface MadeLink {
  id: string;
  url: string;
  secret: string | null;
}

interface ShownSession {
  session_id: string;
  asked_by: string;
  state: string;
  error_code: string | null;
}

const CUSTOMERS = 3;
const HOUR_SECONDS = 3_600;
const RETRY_AFTER_DEFAULT_SECONDS = 1;

const logins = SANDBOX_CREDENTIALS.filter(({ label, outcomes }) => label.startsWith('works') && !('*' in outcomes));

const makeLink = async (stack: DemoStack, changes: object): Promise<MadeLink> => {
  const asked = { asked_by: 'Demo', external_source_code: 'tax', enabled_scopes: ['rcv'] };
  const body = { ...asked, ...changes };
  const { data } = await call<{ data: MadeLink }>(stack, '/connect-links', { method: 'POST', body, as: 'session' });
  return data;
};

/** The browser of a customer: it sends what the page of the link sends, and holds the link's cookie. */
class Customer {
  private cookie = '';
  /** Name of the session that this browser's page shows. */
  private sessionId = '';
  private readonly origin: string;

  constructor(stack: DemoStack) {
    this.origin = new URL(stack.api).origin;
  }

  private async ask(path: string, method: string, body?: object): Promise<ShownSession> {
    for (;;) {
      const answer = await fetch(`${this.origin}${path}`, {
        method,
        headers: { cookie: this.cookie, origin: this.origin, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const [set] = answer.headers.getSetCookie();
      if (set !== undefined) [this.cookie = ''] = set.split(';');
      if (answer.status === 429) {
        const seconds = Number(answer.headers.get('retry-after') ?? RETRY_AFTER_DEFAULT_SECONDS);
        await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
        continue;
      }
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return ((await answer.json()) as { data: ShownSession }).data;
    }
  }

  async open(address: string): Promise<ShownSession> {
    const [token = '', ...rest] = new URL(address).hash.slice(1).split('&');
    const signed = Object.fromEntries(new URLSearchParams(rest.join('&')));
    const session = await this.ask('/connect-session', 'POST', { token, ...signed });
    this.sessionId = session.session_id;
    return session;
  }

  submit(credentials: object): Promise<ShownSession> {
    return this.ask('/connect-session/credentials', 'POST', { session_id: this.sessionId, credentials });
  }

  verdict(): Promise<ShownSession> {
    return until('the verdict of the institution', async () => {
      const session = await this.ask('/connect-session', 'GET');
      return session.state === 'checking' || session.state === 'approval' ? undefined : session;
    });
  }
}

interface FoundConnection {
  id: string;
  metadata: { reference?: string };
}

const findByReference = async (stack: DemoStack, reference: string): Promise<FoundConnection[]> =>
  (await call<{ data: FoundConnection[] }>(stack, `/connections?reference=${encodeURIComponent(reference)}`)).data;

const firstRow = (stack: DemoStack, connectionId: string): Promise<{ id: string }> =>
  until('the first row', async () => {
    const path = `/connections/${connectionId}/tax-rcv-documents?limit=1`;
    return (await call<{ data: { id: string }[] }>(stack, path)).data[0];
  });

/** Returns what went wrong. */
const demoSingle = async (stack: DemoStack): Promise<string[]> => {
  const startedMs = performance.now();
  const { id, url } = await makeLink(stack, { kind: 'single' });
  console.log(`link           ${id}: made by a person, opened by a customer`);
  const customer = new Customer(stack);
  const { asked_by } = await customer.open(url);
  await customer.submit(stack.sandbox.tax?.credentials ?? {});
  const { state, error_code } = await customer.verdict();
  console.log(`customer       reads that "${asked_by}" asks, types the password, and reads: ${state}`);
  if (state !== 'accepted') return [`the link of one customer ended ${state} ${error_code}`];
  const { data } = await call<{ data: { connection_id: string; status: string } }>(stack, `/connect-links/${id}`);
  await firstRow(stack, data.connection_id);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`first row      by key, ${seconds} s after the link was made; the link is ${data.status}`);
  return [];
};

const signedAddress = ({ url, id, secret }: MadeLink, reference: string): string => {
  const expires = Math.floor(nowMs() / 1000) + HOUR_SECONDS;
  const signature = signReference(secret ?? '', id, { reference, expires });
  return `${url}&reference=${encodeURIComponent(reference)}&expires=${expires}&signature=${signature}`;
};

/** Returns what went wrong. */
const demoStanding = async (stack: DemoStack): Promise<string[]> => {
  const expires_at = new Date(nowMs() + HOUR_SECONDS * 1000).toISOString();
  const link = await makeLink(stack, { kind: 'standing', connections_max: CUSTOMERS, expires_at });
  console.log(`standing link  ${link.id}: a program signs ${CUSTOMERS} addresses, without a session`);
  const ended = await Promise.all(
    logins.slice(0, CUSTOMERS).map(async ({ credentials }, at) => {
      const reference = `demo-${link.id.slice(-12)}-${at}`;
      const customer = new Customer(stack);
      await customer.open(signedAddress(link, reference));
      await customer.submit(credentials);
      const { state } = await customer.verdict();
      const found = await findByReference(stack, reference);
      console.log(`customer       ${reference}: ${state}, ${found.length} connection with this reference`);
      return state === 'accepted' && found.length === 1;
    }),
  );
  return ended.every(Boolean) ? [] : ['a customer of the standing link was not connected exactly once'];
};

/** Returns what went wrong; empty when every customer was connected once. */
export const demoLinks = async ({ stack }: Demonstration): Promise<string[]> => [
  ...(await demoSingle(stack)),
  ...(await demoStanding(stack)),
];

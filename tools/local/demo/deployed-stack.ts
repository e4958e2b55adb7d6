/**
 * A deployed API for the demonstration. A deployed sandbox shows no ledger, so this process computes the ledger with
 * the same code and from the same seed as the sandbox.
 */
import { INSTITUTIONS } from '#functions/sandbox/institutions.gen.ts';
import { nowMs } from '#shared/platform/clock.ts';
import type { SandboxCredential } from '#shared/sources/sandbox-kit/credential.ts';
import type { Demonstration, DemoStack } from './steps.ts';
import type { Ledger } from './totals.ts';

export interface DeployedAccess {
  /** Base URL of the API, up to `/api`. */
  api: string;
  session: string;
  /** An API key. If it is absent, a key is created with the session and revoked at the end. */
  apiKey?: string;
}

const KEY_HOURS = 6;

/** Returns the base URL of the API. @throws Error for an address to which no session should be sent */
export const apiAddress = (given: string): string => {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isLoopback = url?.protocol === 'http:' && url.hostname === '127.0.0.1';
  if (url === undefined || (url.protocol !== 'https:' && !isLoopback)) {
    throw new Error(
      '--api must be an https URL, as the deploy prints it: https://<id>.execute-api.<region>.amazonaws.com/api',
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
};

/** Returns the first login in the table of the source's sandbox, because this login has no injected faults. */
const loginOf = async (source: string): Promise<SandboxCredential> => {
  const module = (await import(`#shared/sources/${source}/sandbox/credentials.ts`)) as {
    SANDBOX_CREDENTIALS: readonly [SandboxCredential, ...SandboxCredential[]];
  };
  return module.SANDBOX_CREDENTIALS[0];
};

const ledgerOf = async (source: string): Promise<Ledger> => {
  const { app } = INSTITUTIONS[source]!({ now: nowMs });
  const login = String(Object.values((await loginOf(source)).credentials)[0]);
  const { body } = await app.inject(`/_sandbox/ledger?login=${encodeURIComponent(login)}`);
  await app.close();
  return JSON.parse(body) as Ledger;
};

/** Errors contain only the response's status, because a response of this endpoint may contain a key. */
const asSession = async <T>(
  { api, session }: DeployedAccess,
  method: string,
  path: string,
  body?: object,
): Promise<T> => {
  const answer = await fetch(`${api}${path}`, {
    method,
    headers: { cookie: `sb-access-token=${session}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (answer.status === 401)
    throw new Error('the API does not know this session: is it of this stage, and not over yet?');
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  return (await answer.json()) as T;
};

const withKey = async <T>(access: DeployedAccess, work: (key: string) => Promise<T>): Promise<T> => {
  if (access.apiKey !== undefined) return work(access.apiKey);
  const expires_at = new Date(nowMs() + KEY_HOURS * 3_600_000).toISOString();
  const made = await asSession<{ data: { id: string; key: string } }>(access, 'POST', '/api-keys', {
    name: 'Demo',
    expires_at,
  });
  try {
    return await work(made.data.key);
  } finally {
    await asSession(access, 'DELETE', `/api-keys/${made.data.id}`);
  }
};

export const withDeployed = async <T>(
  access: DeployedAccess,
  work: (demonstration: Demonstration) => Promise<T>,
): Promise<T> => {
  const logins = await Promise.all(
    Object.keys(INSTITUTIONS).map(async (source) => [source, await loginOf(source)] as const),
  );
  const sandbox: DemoStack['sandbox'] = Object.fromEntries(logins);
  return withKey(access, (api_key) =>
    work({ stack: { api: access.api, session: access.session, api_key, sandbox }, ledgerOf }),
  );
};

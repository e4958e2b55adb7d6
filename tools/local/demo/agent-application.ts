/**
 * An agent's application, as those that people use: the bare address is all it is given. It finds the authorization server,
 * registers, sends the person to the page, and exchanges the code by PKCE. The person is the local session, and says yes.
 */
import { randomUUID } from 'node:crypto';
import {
  Client,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { AGENT_PATHS, buildResourceUrl } from '#shared/agents/addresses.ts';

/** Nobody listens there: the answer is read where the person's browser would go on. */
const REDIRECT = 'http://127.0.0.1:33418/callback';

/** What is shown of the person's part, and their word. */
export type GiveConsent = (page: URL) => Promise<URL>;

interface Person {
  /** Base URL, up to `/api`. */
  api: string;
  session: string;
}

/** How the service's own address is reached; where it is a name of no server, elsewhere. */
type Reach = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Reviews and allows what the page at this address asks, with the session that is signed in there. */
export const allowWith =
  ({ api, session }: Person, reach: Reach = fetch): GiveConsent =>
  async (page) => {
    const { origin } = new URL(api);
    if (page.origin !== origin || page.pathname !== AGENT_PATHS.authorize)
      throw new Error('the application opened a page that is not ours');
    const post = async <T>(path: string, body: object): Promise<T> => {
      const page = { origin, 'sec-fetch-site': 'same-origin' };
      const answer = await reach(`${api}${path}`, {
        method: 'POST',
        headers: { cookie: `sb-access-token=${session}`, ...page, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return ((await answer.json()) as { data: T }).data;
    };
    const query = page.search.slice(1);
    const { digest } = await post<{ digest: string }>('/oauth/reviews', { query });
    const decision = { query, digest, decision: 'allow' };
    return new URL((await post<{ redirect_to: string }>('/oauth/decisions', decision)).redirect_to);
  };

const METADATA: OAuthClientMetadata = {
  client_name: 'Demo agent',
  redirect_uris: [REDIRECT],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

/** Keeps in memory what an application keeps, and remembers the page that it opened. */
const newProvider = (state: string): OAuthClientProvider & { page(): URL } => {
  let client: StoredOAuthClientInformation | undefined;
  let tokens: StoredOAuthTokens | undefined;
  let verifier = '';
  let found: OAuthDiscoveryState | undefined;
  let page: URL | undefined;
  return {
    redirectUrl: REDIRECT,
    clientMetadata: METADATA,
    state: () => state,
    clientInformation: () => client,
    saveClientInformation: (saved) => {
      client = saved;
    },
    tokens: () => tokens,
    saveTokens: (saved) => {
      tokens = saved;
    },
    redirectToAuthorization: (opened) => {
      page = opened;
    },
    saveCodeVerifier: (saved) => {
      verifier = saved;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (saved) => {
      found = saved;
    },
    discoveryState: () => found,
    page: () => {
      if (!page) throw new Error('the application opened no page');
      return page;
    },
  };
};

export interface Application {
  client: Client;
  /** As the person saw it. */
  name: string;
}

/** @param origin of the service: the rest is found from there */
export const connectApplication = async (
  origin: string,
  consent: GiveConsent,
  mode: 'auto' | 'legacy' = 'auto',
  reach: Reach = fetch,
): Promise<Application> => {
  const state = randomUUID();
  const provider = newProvider(state);
  const hands = { authProvider: provider, fetch: reach };
  const newTransport = () => new StreamableHTTPClientTransport(new URL(buildResourceUrl(origin)), hands);
  const client = new Client({ name: 'demo-agent', version: '1.0.0' }, { versionNegotiation: { mode } });
  const first = newTransport();
  try {
    await client.connect(first);
    throw new Error('the service asked for no permission');
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
  }
  const { searchParams: answer } = await consent(provider.page());
  if (answer.get('state') !== state) throw new Error('the answer is to another question');
  // The client judges the issuer that it finds beside the code.
  await first.finishAuth(answer);
  await client.connect(newTransport());
  return { client, name: METADATA.client_name! };
};

/**
 * An agent's application that, like the applications that people use, initially knows only the service's address. It
 * finds the authorization server, registers, sends the person to the authorization page, and exchanges the code with
 * PKCE. The local session acts as the person and allows the request.
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

/** No server listens at this address: the application reads the code from the redirect. */
const REDIRECT = 'http://127.0.0.1:33418/callback';

/**
 * Receives the address of the authorization page, and resolves with the address to which the page redirects after the
 * person's decision.
 */
export type GiveConsent = (page: URL) => Promise<URL>;

interface Person {
  /** Base URL of the API, up to `/api`. */
  api: string;
  session: string;
}

/** Function that is used instead of `fetch` to reach the service's address if no server has the address's host name. */
type Reach = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Returns a function that reviews and allows an authorization request, as a signed-in person does on the page. */
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

/**
 * Returns a provider that stores an application's state in memory. It also stores the address of the page that the
 * application opened.
 */
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
  /** Name of the application, as the page showed it to the person. */
  name: string;
}

/**
 * Connects an application and returns its MCP client.
 * @param origin origin of the service, from which the application finds all other addresses
 */
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
  // The client library checks in this call that the redirect's issuer is the issuer that the client found.
  await first.finishAuth(answer);
  await client.connect(newTransport());
  return { client, name: METADATA.client_name! };
};

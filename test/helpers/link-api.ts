/** Connect links in process: their endpoints as an organization's person calls them, and as a customer's page does. */
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { signReference } from '#shared/connect-links/signed-reference.rules.ts';
import type { Credential } from './callers.ts';
import { handlerOf } from './handlers.ts';
import { type Answered, call, type Request } from './http.ts';
import { sessionCookie } from './sessions.ts';

type Sent = Partial<Omit<Request, 'method' | 'path'>>;

export const callOperation = async (id: string, request: Sent = {}): Promise<Answered> =>
  call(ENDPOINTS.find((contract) => contract.id === id)!, await handlerOf(id), request);

/** What a browser sends with a request of the page itself. */
export const OWN_PAGE = { origin: 'https://app.test', 'sec-fetch-site': 'same-origin' };

export interface MadeLink {
  id: string;
  token: string;
  secret: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  data: any;
}

export const askFor = (changes: object = {}): object => ({
  kind: 'single',
  asked_by: 'Contadores Asociados',
  external_source_code: 'tax',
  enabled_scopes: ['rcv'],
  ...changes,
});

export interface LinkApi {
  who: Credential;
  create(body?: object, headers?: Record<string, string>): Promise<Answered>;
  make(changes?: object): Promise<MadeLink>;
  get(id: string): Promise<Answered>;
  list(query?: string): Promise<Answered>;
  cancel(id: string): Promise<Answered>;
}

export const linkApi = async (organizationId: string): Promise<LinkApi> => {
  const who = { cookies: await sessionCookie(organizationId) };
  const create = (body = askFor(), headers = {}) => callOperation('create-connect-link', { ...who, body, headers });
  return {
    who,
    create,
    make: async (changes = {}) => {
      const { status, body } = await create(askFor(changes));
      if (status !== 201) throw new Error(`no link was made: ${status} ${body?.error?.message}`);
      const { id, url, secret } = body.data;
      return { id, token: String(url).split('#')[1]!, secret, data: body.data };
    },
    get: (id) => callOperation('get-connect-link', { ...who, params: { id } }),
    list: (query = '') => callOperation('list-connect-links', { ...who, query }),
    cancel: (id) => callOperation('cancel-connect-link', { ...who, params: { id } }),
  };
};

/** The parameters that an integrator's server appends to the address of a standing link. */
export const signFor = ({ secret, id }: Pick<MadeLink, 'secret' | 'id'>, reference: string, untilMs: number) => {
  const expires = Math.floor(untilMs / 1000);
  return { reference, expires: String(expires), signature: signReference(secret, id, { reference, expires }) };
};

/** A customer's browser on the page of a link: it holds one cookie. */
export interface LinkPage {
  cookies: string[];
  /** Name of the session that the page shows. */
  session: string;
  open(token: string, signed?: object): Promise<Answered>;
  show(): Promise<Answered>;
  submit(credentials: object): Promise<Answered>;
  close(): Promise<Answered>;
}

export const linkPage = (): LinkPage => {
  const page: LinkPage = {
    cookies: [],
    session: '',
    open: async (token, signed = {}) => keep(await ask('open-connect-session', { token, ...signed })),
    show: () => ask('show-connect-session'),
    submit: (credentials) => ask('submit-credentials', { session_id: page.session, credentials }),
    close: async () => keep(await ask('close-connect-session')),
  };
  const ask = (id: string, body?: object) =>
    callOperation(id, { cookies: page.cookies, headers: OWN_PAGE, ...(body ? { body } : {}) });
  const keep = (answer: Answered): Answered => {
    const cookie = answer.headers['set-cookie']?.split(';')[0];
    if (cookie !== undefined) page.cookies = cookie.endsWith('=') ? [] : [cookie];
    page.session = answer.body?.data?.session_id ?? page.session;
    return answer;
  };
  return page;
};

/**
 * HTTP client of the sources. It uses canonical URLs, stores the cookies of one session for all hosts of the
 * institution, follows redirects itself (each may set cookies), and applies pace and limits. Every failure becomes a
 * named error.
 */
import { createConnections } from '#shared/transport/connections.ts';
import { unexpected } from '../parsing/results.ts';
import { type JsonObject, SourceError, type SourceIo } from '../source.ts';
import { createAddressBook } from './addresses.ts';
import { readBody } from './body.ts';
import { decodeText } from './charset.ts';
import { createCookies, type SessionCookies } from './cookies.ts';
import { statusFault, transportFault } from './faults.ts';

const CONNECT_MS = 10_000;
const REDIRECTS_MAX = 10;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const BODY_BYTES_MAX = 64 * 1024 * 1024;
/** Some institutions refuse clients that do not look like a browser (tax.md §2.1, §2.3). */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export interface HttpCall {
  /** Name of the call in messages. A URL is never used as a name, because it may contain a RUT. */
  what: string;
  url: string;
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers?: Record<string, string>;
  body?: string;
  timeoutMs?: number;
  bodyBytesMax?: number;
  /** If true, 429 and 5xx are returned as answers and do not throw, because the source reads their bodies. */
  anyStatus?: boolean;
  /**
   * True for a call that contains a password. The client sends such a call once: a redirect that would send the
   * password again is reported and not followed.
   */
  isLogin?: boolean;
}

export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  contentType: string | null;
  body: Uint8Array;
  text(): string;
  /** Every canonical URL of the call, including a redirect that was not followed. */
  visited: string[];
}

export interface HttpClient {
  call(call: HttpCall): Promise<HttpResponse>;
  cookies: SessionCookies;
  /**
   * Closes the connections. A client lives for one invocation, because a socket does not survive a freeze of the
   * function.
   */
  close(): Promise<void>;
}

export interface HttpClientOptions {
  hosts: Readonly<Record<string, string>>;
  io: SourceIo;
  cookies?: JsonObject | undefined;
  /**
   * Name under which the institution counts these calls, if the institution counts several kinds of calls separately.
   */
  wire?: string;
}

export const createHttpClient = ({ hosts, io, cookies: saved, wire = 'calls' }: HttpClientOptions): HttpClient => {
  const addresses = createAddressBook(hosts, io.settings.baseUrl);
  const cookies = createCookies(addresses, saved);
  const { redactor } = io;
  const connections = createConnections({ timeoutMs: CONNECT_MS, isKept: true });

  const learnRequest = ({ body, headers = {} }: HttpCall, url: URL): void => {
    for (const sent of [url.search.slice(1), body ?? '']) redactor.sees(sent);
    for (const [name, value] of Object.entries(headers))
      if (/^authorization$/i.test(name)) redactor.learns(value.slice(value.indexOf(' ') + 1), 'authorization');
  };
  /** Passes the cookies to the redactor before a request is sent, and again when the answer has set more cookies. */
  const learnCookies = (): void => {
    for (const [name, value] of cookies.entries()) redactor.learns(value, name);
  };

  const readRedirect = (what: string, location: string, url: URL): URL => {
    try {
      return addresses.follow(location, url);
    } catch (cause) {
      throw unexpected(what, 'the redirect cannot be read', cause);
    }
  };

  const send = (
    call: HttpCall,
    url: URL,
    signal: AbortSignal,
    onSent: () => void,
  ): Promise<Omit<HttpResponse, 'visited'>> => {
    const cookie = cookies.header(url);
    learnRequest(call, url);
    learnCookies();
    const request = {
      ...{ url: addresses.toWire(url), method: call.method ?? 'GET', body: call.body, signal, onSent },
      isOnNewConnection: call.isLogin === true,
      headers: { 'user-agent': USER_AGENT, ...call.headers, ...(cookie ? { cookie } : {}) },
    };
    return connections.request(request, async ({ status, headers, cookies: set, body }) => {
      cookies.keep(set, url);
      learnCookies();
      const bytesMax = call.bodyBytesMax ?? BODY_BYTES_MAX;
      const bytes = await readBody(call.what, body, headers['content-encoding'], bytesMax);
      const response = toResponse(status, headers, redactor.withoutCredentials(bytes));
      io.observe?.({
        ...{ what: call.what, method: request.method, url: url.href, sent: call.body ?? null },
        ...{ status, headers, cookies: set.map(nameOfCookie), body: response.body },
      });
      return response;
    });
  };

  const toResponse = (status: number, headers: Record<string, string>, body: Uint8Array) => ({
    ...{ status, headers, body, text: () => decodeText(body) },
    contentType: headers['content-type'] === undefined ? null : redactor.text(headers['content-type']),
  });

  /** Returns the target of a redirect, and adds it to `visited`; undefined when the redirect is not followed. */
  const nextOf = (
    call: HttpCall,
    { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
    url: URL,
    visited: string[],
  ): URL | undefined => {
    const location = REDIRECTS.has(status) ? headers.location : undefined;
    if (location === undefined) return undefined;
    const next = readRedirect(call.what, location, url);
    if (addresses.isServed(next) && !(call.isLogin && repeats(call, status))) return next;
    visited.push(next.href);
    return undefined;
  };

  /** The pace counts a call and its redirects as one call, because a browser follows redirects at once. */
  const follow = async (call: HttpCall, signal: AbortSignal, onSent: () => void): Promise<HttpResponse> => {
    let url = new URL(call.url);
    let current = call;
    const visited: string[] = [];
    for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
      visited.push(url.href);
      const response = await send(current, url, signal, onSent);
      const next = nextOf(current, response, url, visited);
      if (next === undefined) return { ...response, visited };
      url = next;
      if (!keepsBody(response.status)) current = asGet(current);
    }
    throw unexpected(call.what, `more than ${REDIRECTS_MAX} redirects`);
  };

  return {
    cookies,
    call: async (call) => {
      io.signal.throwIfAborted();
      await io.turn(wire);
      const timeout = AbortSignal.timeout(call.timeoutMs ?? io.settings.callTimeoutMs);
      let isSent = false;
      const onSent = (): void => {
        isSent = true;
      };
      try {
        const answer = await follow(call, AbortSignal.any([io.signal, timeout]), onSent);
        const fault = call.anyStatus ? undefined : statusFault(call.what, answer, io.now());
        if (fault) throw fault;
        return answer;
      } catch (error) {
        // If the engine stopped the call, throw the reason of the engine, because the institution did not fail.
        io.signal.throwIfAborted();
        if (timeout.aborted) {
          const options = { cause: error, isUnsent: !isSent };
          throw new SourceError('source.timeout', `${call.what}: no answer in time`, options);
        }
        throw transportFault(call.what, error, !isSent);
      }
    },
    close: async () => connections.close(),
  };
};

const nameOfCookie = (header: string): string => header.slice(0, Math.max(0, header.indexOf('=')));

const keepsBody = (status: number): boolean => status === 307 || status === 308;

/**
 * True if a redirect may send the password again: 307 and 308 repeat the body, and a password in a URL may be repeated
 * in any `Location`.
 */
const repeats = ({ method = 'GET' }: HttpCall, status: number): boolean => method === 'GET' || keepsBody(status);

/**
 * Converts a call to GET, as browsers do after 301, 302 and 303: the body and its headers are dropped. A login also
 * drops its `authorization` header.
 */
const asGet = (call: HttpCall): HttpCall => {
  const dropped = call.isLogin ? /^(?:content-|authorization$)/i : /^content-/i;
  const headers = Object.fromEntries(Object.entries(call.headers ?? {}).filter(([name]) => !dropped.test(name)));
  const { body: _, isLogin: __, ...rest } = call;
  return { ...rest, method: 'GET', headers };
};

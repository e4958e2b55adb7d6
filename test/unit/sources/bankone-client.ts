/** The portal's wire without the adapter's client: cookies, token, JSON. */

import { wireRut } from '#shared/sources/bankone/sandbox/parties.ts';
import type { Credential } from './bankone-stage.ts';
import { entryOf, url } from './bankone-stage.ts';

/** A value whose shape the test knows: any field can be read. */
// biome-ignore lint/suspicious/noExplicitAny: the answers are what is tested, their types are not known beforehand.
export type Answer = any;

export const REST = '/mibanco/rest/empresa';

export interface Client {
  cookies: Map<string, string>;
  send(
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; text: string; json: Answer; headers: Headers }>;
}

export const client = (): Client => {
  const cookies = new Map<string, string>();
  return {
    cookies,
    send: async (path, body, headers = {}) => {
      const answer = await fetch(`${url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        headers: {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          'x-xsrf-token': decodeURIComponent(cookies.get('XSRF-TOKEN') ?? ''),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      for (const line of answer.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
        cookies.set(name!, value!);
      }
      const text = await answer.text();
      const json = /^[[{]/.test(text) ? JSON.parse(text) : undefined;
      return { status: answer.status, text, json, headers: answer.headers };
    },
  };
};

export const logIn = async (entry: Credential = entryOf('works')): Promise<Client> => {
  const own = client();
  const { rut, password } = entry.credentials;
  await own.send('/mibanco/login/autenticar', { rutUsuario: wireRut(rut!), clave: password });
  return own;
};

export const firstAccount = async (own: Client): Promise<string> =>
  (await own.send(`${REST}/cuentas`)).json.cuentas[0].numero;

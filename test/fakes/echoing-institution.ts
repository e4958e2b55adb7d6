/**
 * A sandbox behind a server that repeats each whole request in its answers: plain, URL-encoded, JSON-escaped,
 * HTML-escaped, base64 and base64url at three alignments, and as gzip. The connection's secret is a canary; the server
 * replaces it with the secret that the sandbox knows.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { SourceFolder } from '#test/helpers/source-folders.ts';

/** Answers that repeat the request: a kind of data answer, or all answers. */
export const ECHO_KINDS = [
  'good',
  'refused',
  'page',
  'json',
  'packed',
  'error-400',
  'error-401',
  'error-403',
  'error-404',
  'error-429',
  'error-500',
  'redirect-here',
  'redirect-away',
] as const;
export type EchoKind = (typeof ECHO_KINDS)[number];

export interface EchoSwitch {
  kind: EchoKind;
  /** Before that, answers are good ones that also repeat the request. */
  isOn: boolean;
  /** Number of answers that repeated a request. */
  echoes: number;
}

interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

const htmlEscaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }[sign]!};`);

const wholeOf = ({ method, url, headers, body }: Sent): string =>
  `${method} ${url}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\r\n')}\r\n\r\n${body}`;

const formsOf = (sent: Sent): string[] => {
  const whole = `${wholeOf(sent)}\n${decodeURIComponent(sent.url)}\n${readable(sent)}`;
  const shifted = ['', '.', '..'].map((before) => Buffer.from(before + whole));
  return [
    encodeURIComponent(whole),
    JSON.stringify(whole).slice(1, -1),
    htmlEscaped(whole),
    ...shifted.flatMap((bytes) => [bytes.toString('base64'), bytes.toString('base64url')]),
  ];
};

/** The request as the institution understood it: form fields, JSON, user and password. */
const readable = ({ headers, body }: Sent): string => {
  const basic = Buffer.from((headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
  const fields = [...new URLSearchParams(body)].flat();
  const json = body.startsWith('{') ? Object.values(JSON.parse(body) as object).map(String) : [];
  return [...fields, ...json, basic].join('\n');
};

const plainOf = (sent: Sent): string => `${wholeOf(sent)}\n${readable(sent)}`;

/** A good answer with the same content and the request in addition: in each object of JSON, in a page's text. */
const withEcho = (body: Buffer, type: string, sent: Sent): Buffer => {
  const echo = [...formsOf(sent), plainOf(sent)].join(' ');
  if (/json/.test(type)) {
    const text = body.toString('utf8').replace(/^\uFEFF/, '');
    if (!/^\s*[{[]/.test(text)) return body;
    // Edited as text, because numbers must stay as they are written.
    return Buffer.from(text.replaceAll(/\{(?=\s*")/g, `{"eco":${JSON.stringify(echo)},`));
  }
  if (/html/.test(type)) {
    const html = body.toString('latin1');
    const told = Buffer.from(`<p title="${htmlEscaped(echo)}">${htmlEscaped(echo)}</p></body>`).toString('latin1');
    return Buffer.from(
      html.replace(/<\/body>/i, () => told),
      'latin1',
    );
  }
  return body;
};

const percent = (text: string): string =>
  [...Buffer.from(text, 'latin1')].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** Encodes a text as a form of an ISO-8859-1 page does. */
export const latin1Form = (text: string): string =>
  text.replaceAll(/[^A-Za-z0-9*\-._ ]/g, percent).replaceAll(' ', '+');

const utf8Form = (text: string): string => String(new URLSearchParams({ a: text })).slice(2);
const jsonForm = (text: string): string => JSON.stringify(text).slice(1, -1);

const swapText = (text: string, from: string, to: string): string =>
  [encodeURIComponent, utf8Form, latin1Form, jsonForm].reduce(
    (swapped, form) => swapped.replaceAll(form(from), () => form(to)),
    text,
  );

/** The request with the sandbox's own secret instead of the canary. */
const swapped = (sent: Sent, from: string, to: string): Sent => {
  const { authorization } = sent.headers;
  const user = authorization?.startsWith('Basic ') ? Buffer.from(authorization.slice(6), 'base64').toString() : '';
  const basic = Buffer.from(user.replace(from, () => to)).toString('base64');
  return {
    method: sent.method,
    url: swapText(sent.url, from, to),
    headers: user === '' ? sent.headers : { ...sent.headers, authorization: `Basic ${basic}` },
    body: swapText(sent.body, from, to),
  };
};

const read = async (request: IncomingMessage): Promise<Sent> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { host: _, 'content-length': __, 'transfer-encoding': ___, connection: ____, ...headers } = request.headers;
  return {
    method: request.method!,
    url: request.url!,
    headers: headers as Record<string, string>,
    body: Buffer.concat(chunks).toString(),
  };
};

const told = (sent: Sent): { html: Buffer; json: Buffer } => {
  const echo = [...formsOf(sent), plainOf(sent)];
  return {
    html: Buffer.from(`<html><body>${plainOf(sent)} ${echo.join('<br>')}</body></html>`),
    json: Buffer.from(JSON.stringify({ error: plainOf(sent), codigo: echo, message: echo.join(' ') })),
  };
};

const answerWith = (kind: EchoKind, sent: Sent, response: ServerResponse): void => {
  const { html, json } = told(sent);
  const whole = formsOf(sent).at(-1)!;
  const page = { 'content-type': `text/html; eco=${whole}`, 'x-eco': whole };
  if (sent.url.startsWith('/eco?')) return void response.writeHead(200, page).end(html);
  if (kind === 'page') return void response.writeHead(200, page).end(html);
  if (kind === 'json') return void response.writeHead(200, { 'content-type': 'application/json' }).end(json);
  if (kind === 'packed')
    return void response.writeHead(200, { 'content-type': 'application/x-gzip' }).end(gzipSync(html));
  if (kind === 'redirect-here')
    return void response.writeHead(302, { location: `/eco?${encodeURIComponent(plainOf(sent))}` }).end(html);
  if (kind === 'redirect-away')
    return void response.writeHead(302, { location: `https://elsewhere.example/?eco=${whole}` }).end(html);
  const status = Number(kind.split('-')[1]);
  const isJson = /json/.test(sent.headers.accept ?? '');
  response.writeHead(status, isJson ? { 'content-type': 'application/json' } : page).end(isJson ? json : html);
};

/** The folder with its sandbox behind such a server. */
export const echoing = (
  folder: SourceFolder,
  { canary, known, echo }: { canary: string; known: string; echo: EchoSwitch },
): SourceFolder => ({
  ...folder,
  createSandbox: (options) => {
    const sandbox = folder.createSandbox(options);
    let behind = '';
    const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const sent = await read(request);
      const isOwnDoor = sent.url.startsWith('/_sandbox/');
      if (!isOwnDoor) echo.echoes++;
      if (!isOwnDoor && echo.isOn && echo.kind !== 'good' && echo.kind !== 'refused')
        return answerWith(echo.kind, sent, response);
      if (sent.url.startsWith('/eco?')) return answerWith('page', sent, response);
      const isSwapped = !isOwnDoor && !(echo.kind === 'refused' && echo.isOn);
      const { method, url, headers, body } = isSwapped ? swapped(sent, canary, known) : sent;
      const answer = await fetch(behind + url, {
        method,
        headers: { ...headers, 'accept-encoding': 'identity' },
        redirect: 'manual',
        ...(body === '' ? {} : { body }),
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      const type = answer.headers.get('content-type') ?? '';
      const isFile = /attachment/.test(answer.headers.get('content-disposition') ?? '');
      const cookies = answer.headers.getSetCookie();
      const { 'content-length': _, 'set-cookie': __, connection: ___, ...kept } = Object.fromEntries(answer.headers);
      response.writeHead(answer.status, { ...kept, ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}) });
      response.end(isOwnDoor || isFile ? bytes : withEcho(bytes, type, sent));
    };
    const server = createServer((request, response) => {
      pass(request, response).catch((error: unknown) => response.writeHead(599).end(String(error)));
    });
    return {
      app: sandbox.app,
      ownerOf: sandbox.ownerOf,
      listen: async () => {
        behind = await sandbox.listen(0);
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      },
      close: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
        await sandbox.close();
      },
    };
  },
});

/** Inner bytes of a base64 text that holds `secret`, at each alignment: those that depend on nothing else. */
const base64Cores = (secret: Buffer): string[] =>
  [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), secret])
      .toString('base64')
      .replace(/=+$/, '');
    const from = [0, 2, 3][before]!;
    return text.slice(from, Math.floor(((before + secret.length) * 8) / 6));
  });

/** All forms of a canary to search for. */
export const canaryForms = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  const cores = base64Cores(bytes);
  const url = encodeURIComponent(secret);
  return [
    ...new Set([
      secret,
      bytes.toString('latin1'),
      url,
      url.replaceAll(/%../g, (code) => code.toLowerCase()),
      utf8Form(secret),
      latin1Form(secret),
      jsonForm(secret),
      htmlEscaped(secret),
      encodeURIComponent(jsonForm(secret)),
      ...cores,
      ...cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_')),
    ]),
  ];
};

/** An object's bytes, and the content packed in them, down to three levels. */
export const unpackedTexts = (bytes: Buffer): string[] => {
  const texts = [bytes.toString('latin1'), bytes.toString('utf8')];
  const at = bytes.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b])) ? 0 : bytes.indexOf('\n') + 1;
  const inner = bytes.subarray(at);
  if (inner[0] !== 0x1f || inner[1] !== 0x8b) return texts;
  return [...texts, ...unpackedTexts(gunzipSync(inner))];
};

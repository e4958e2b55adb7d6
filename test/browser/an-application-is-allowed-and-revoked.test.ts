/**
 * A program sends a person to the page; it can read once the person allows it, and no longer after the person revokes
 * the access.
 */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import { allFindings } from './accessibility.ts';
import { screenshots } from './screenshot.ts';
import { stories, useBrowser } from './use-browser.ts';

const stage = useSharedStack();
const web = useBrowser(stage);

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

/** The program's own address on this computer, where the browser delivers the answer. */
let program: Server;
let callback: string;
let answers: URL[] = [];

beforeAll(async () => {
  program = createServer((request, response) => {
    const url = new URL(request.url ?? '/', callback);
    if (url.pathname === '/callback') answers.push(url);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<title>Agent</title><h1>Back at the program</h1>');
  }).listen(0, '127.0.0.1');
  await once(program, 'listening');
  callback = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`;
});
afterAll(() => {
  program.close();
});

const register = async (client_name: string): Promise<string> => {
  const answer = await fetch(`${stage.api.file.api}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name, redirect_uris: ['http://127.0.0.1/callback'] }),
  });
  return ((await answer.json()) as { client_id: string }).client_id;
};

const addressOf = (client_id: string, changes: Record<string, string> = {}): string =>
  `/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: callback,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'af0ifjsldkj',
    ...changes,
  })}`;

const tokenFor = async (client_id: string, code: string): Promise<string> => {
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, client_id, code_verifier: verifier });
  const answer = await fetch(`${stage.api.file.api}/oauth/token`, { method: 'POST', body });
  const token = ((await answer.json()) as { access_token: string }).access_token;
  stage.secrets.add(token);
  return token;
};

const statusWith = async (token: string): Promise<number> =>
  (await fetch(`${stage.api.file.api}/connections`, { headers: { authorization: `Bearer ${token}` } })).status;

stories('an application', () => {
  test('is allowed, reads, is listed and revoked', async () => {
    web.expects(`asks ${new URL(callback).origin}`);
    answers = [];
    const clientId = await register('Agente contable');
    const page = await web.signedIn(addressOf(clientId));
    await page.getByText('«Agente contable» pide leer').waitFor();
    await page.getByText('Nombre sin verificar').waitFor();
    await page.getByText('Un programa en este computador').waitFor();
    await page.getByRole('main').getByText(stage.api.file.organization_id).waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'authorize');

    await page.getByRole('button', { name: 'Permitir', exact: true }).click();
    await page.getByRole('heading', { name: 'Back at the program' }).waitFor();
    const [answer] = answers;
    expect(Object.fromEntries(answer!.searchParams)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: 'af0ifjsldkj',
      iss: stage.stack.apiUrl,
    });
    const code = answer!.searchParams.get('code')!;
    stage.secrets.add(code);
    const token = await tokenFor(clientId, code);
    expect(await statusWith(token)).toBe(200);

    await page.goto(`${stage.stack.apiUrl}/applications`);
    const row = page.getByRole('row', { name: /Agente contable/ });
    await row.getByText('Activa').waitFor();
    await page.getByText('sirve a un solo proceso').waitFor();
    await row.getByText('Un programa local').waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'applications');
    await page.getByRole('button', { name: 'Revocar la aplicación Agente contable' }).click();
    await page.getByText('Deja de leer de inmediato').waitFor();
    expect(await statusWith(token)).toBe(200);
    await page.getByRole('button', { name: 'Revocar la aplicación', exact: true }).click();
    await row.getByText('Revocada').waitFor();
    expect(await statusWith(token)).toBe(401);
  });

  test('is denied, and learns it', async () => {
    web.expects(`asks ${new URL(callback).origin}`);
    answers = [];
    const page = await web.signedIn(addressOf(await register('Otro agente')));
    await page.getByRole('button', { name: 'No permitir' }).click();
    await page.getByRole('heading', { name: 'Back at the program' }).waitFor();
    expect(answers[0]!.searchParams.get('error')).toBe('access_denied');
    expect(answers[0]!.searchParams.has('code')).toBe(false);
  });

  test('with an invalid request is not opened automatically', async () => {
    web.expects(`asks ${new URL(callback).origin}`);
    answers = [];
    const page = await web.signedIn(addressOf(await register('Antigua'), { code_challenge_method: 'plain' }));
    const back = page.getByRole('button', { name: /^Volver a 127\.0\.0\.1/ });
    await back.waitFor();
    expect(answers).toEqual([]);
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'authorize-wrong');
    await back.click();
    await page.getByRole('heading', { name: 'Back at the program' }).waitFor();
    expect(answers[0]!.searchParams.get('error')).toBe('invalid_request');
  });

  test('an unregistered address leads nowhere', async () => {
    web.expects('status of 422');
    const page = await web.signedIn(addressOf(await register('Falsa'), { redirect_uri: 'https://evil.test/' }));
    await page.getByText('Este enlace no pide nada válido').waitFor();
    await page.getByText('redirect_uri is none of this client').waitFor();
    expect(await page.getByRole('button', { name: 'Permitir', exact: true }).count()).toBe(0);
    expect(await allFindings(page)).toEqual([]);
  });

  test('is shown after the sign-in, and nothing of it is fetched before', async () => {
    const page = await web.open(addressOf(await register('Temprana')));
    const reviews: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/oauth/reviews')) reviews.push(request.url());
    });
    await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
    expect(reviews).toEqual([]);
    await page.getByRole('button', { name: 'Entrar al entorno de desarrollo' }).click();
    await page.getByText('«Temprana» pide leer').waitFor();
    expect(reviews).toHaveLength(1);
  });

  test('attack 22: no page can show the question in a frame', async () => {
    web.expects('frame');
    web.expects('asks');
    const page = await web.signedIn('/connections');
    const address = `${stage.stack.apiUrl}${addressOf(await register('Enmarcada'))}`;
    await page.goto(new URL('/', callback).href);
    await page.evaluate(
      `new Promise((resolve) => {
        const frame = document.createElement('iframe');
        frame.src = ${JSON.stringify(address)};
        frame.onload = resolve;
        document.body.append(frame);
      })`,
    );
    const [, frame] = page.frames();
    expect(await frame!.evaluate("document.body?.innerText ?? ''").catch(() => '')).not.toContain('Enmarcada');
    expect(frame!.url()).not.toContain('/authorize');
  });
});

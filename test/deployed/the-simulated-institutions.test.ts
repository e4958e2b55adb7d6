/** The deployed function that plays all institutions: its address, its table, and none of its test endpoints. */
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '#shared/sources/banktwo/sandbox/credentials.ts';

const { SANDBOX_HOST: host = '', GATEWAY: gateway = '' } = process.env;
const { client_id, client_secret, company_rut } = SANDBOX_CREDENTIALS[0]!.credentials;

interface Told {
  status: number;
  text: string;
}

/** The emulator identifies its APIs by the host of the request. */
const ask = (method: string, path: string, headers: Record<string, string> = {}, body = ''): Promise<Told> =>
  new Promise((resolve, reject) => {
    const asked = request(`${gateway}${path}`, { method, headers: { ...headers, host } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({ status: answer.statusCode!, text: Buffer.concat(chunks).toString() }));
    });
    asked.on('error', reject);
    asked.end(body);
  });

const accounts = (token: string): Promise<Told> =>
  ask('GET', '/banktwo/v1/current-accounts', {
    authorization: `Bearer ${token}`,
    'x-client-id': client_id,
    'x-client-code': company_rut.replace('-', '').padStart(11, '0'),
    'x-request-id': '0192d8f4-0000-7000-8000-000000000001',
  });

test('gives a token, which the table remembers, and knows no other', async () => {
  const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
  const form = { 'content-type': 'application/x-www-form-urlencoded', authorization };
  const login = await ask('POST', '/banktwo/oauth2/token', form, 'grant_type=client_credentials&scope=accounts.read');
  expect(login.status).toBe(200);
  const { access_token: token } = JSON.parse(login.text);
  const told = await accounts(token);
  expect(told.status).toBe(200);
  expect(JSON.parse(told.text).accounts).toHaveLength(3);
  expect((await accounts(`${token}x`)).status).toBe(401);
});

test('has every institution, and keeps its own doors shut', async () => {
  expect((await ask('GET', '/tax/AUT2000/InicioAutenticacion/IngresoRutClave.html')).status).toBe(200);
  expect((await ask('GET', '/bankone/mibanco/login')).status).toBe(200);
  expect((await ask('GET', '/bankthree/empresas/login.asp')).status).toBe(200);
  expect((await ask('GET', '/procurement/servicios/v1/publico/licitaciones.json?ticket=none')).status).toBe(401);
  expect((await ask('GET', `/banktwo/_sandbox/ledger?login=${client_id}`)).status).toBe(404);
});

/**
 * The sandbox's own wire, without the adapter's client: the traps of procurement.md, its table and its endpoints for
 * tests.
 */
import { describe, expect, test } from 'vitest';
import { manifest } from '#shared/sources/procurement/manifest.ts';
import { SANDBOX_CREDENTIALS } from '#shared/sources/procurement/sandbox/credentials.ts';
import { createProcurementSandbox } from '#shared/sources/procurement/sandbox/server.ts';
import { NOW_MS } from './ask.ts';
import { behaving, clock, knobs, sandbox, url, useSandbox } from './procurement-stage.ts';

useSandbox();

const WORKS = behaving('works');
const [OLD, , , NEW] = WORKS.metadata.codigos!;
const API = '/servicios/v1/publico/licitaciones.json';
const api = async (query: Record<string, string>) => {
  const answer = await fetch(`${url}${API}?${new URLSearchParams(query)}`);
  const text = await answer.text();
  return { status: answer.status, text, json: text.trim().startsWith('{') ? JSON.parse(text.trim()) : undefined };
};
const { ticket } = WORKS.credentials;

test('the first credential simply works; labels, tickets and units are unique', () => {
  expect(SANDBOX_CREDENTIALS[0]).toMatchObject({ behaviour: 'works', outcomes: {} });
  for (const pick of ['label', 'unit'] as const)
    expect(new Set(SANDBOX_CREDENTIALS.map((entry) => entry[pick])).size).toBe(SANDBOX_CREDENTIALS.length);
  for (const { credentials, metadata } of SANDBOX_CREDENTIALS) {
    expect(manifest.credentialsSchema.safeParse(credentials).success).toBe(true);
    expect(manifest.metadataSchema.safeParse(metadata).success).toBe(true);
  }
});

describe('the API', () => {
  test.each([
    ['an unknown ticket', { ticket: 'x', codigo: OLD! }, 401, { Codigo: 203 }],
    ['no ticket', { codigo: OLD! }, 401, { Codigo: 203 }],
    ['an unknown parameter', { ticket, codigo: OLD!, pagina: '2' }, 400, { Codigo: 400 }],
    ['a day that is none', { ticket, fecha: '2026-10-05' }, 400, { Codigo: 400 }],
    ['an unknown code', { ticket, codigo: '1-1-LE26' }, 200, { Cantidad: 0, Listado: [] }],
    ['a tender of another ticket', { ticket, codigo: behaving('large').metadata.codigos![0]! }, 200, { Cantidad: 0 }],
  ])('%s', async (_what, query, status, json) => {
    const answer = await api(query);
    expect([answer.status, answer.json]).toEqual([status, expect.objectContaining(json)]);
  });

  test('two calls at a time: the second is refused in any status', async () => {
    await knobs({ latencyMs: 0, busyStatus: 200 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => api({ ticket, codigo: OLD! })));
    const refused = answers.filter(({ json }) => json.Codigo === 10_500);
    for (const { status } of refused) expect(status).toBe(200);
    expect(answers.some(({ json }) => json.Cantidad === 1)).toBe(true);
    await knobs({ busyStatus: 0 });
  });

  test('a quota that is used up', async () => {
    await knobs({ reset: true, ticket, quota: 1 });
    expect((await api({ ticket, codigo: OLD! })).status).toBe(200);
    expect(await api({ ticket, codigo: OLD! })).toMatchObject({ status: 429, json: undefined });
    await knobs({ reset: true, ticket, quota: 10_000 });
  });
});

describe('the web', () => {
  const page = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${url}${path}`, init);
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return { answer, cookie, html: await answer.text() };
  };
  const ficha = (codigo: string) => page(`/Procurement/Modules/RFB/DetailsAcquisition.aspx?idlicitacion=${codigo}`);
  const hiddenIn = (html: string) => {
    const fields = new URLSearchParams();
    for (const [, name, value] of html.matchAll(/<input type="hidden" name="([^"]+)"[^>]* value="([^"]*)"/g))
      fields.set(name!, value!);
    return fields;
  };

  test('a ficha comes by way of a token that holds no code', async () => {
    const { answer, html } = await ficha(OLD!);
    expect(answer.redirected).toBe(true);
    expect(new URL(answer.url).search).toMatch(/^\?qs=[A-Za-z0-9+/=]+$/);
    expect(html).toContain(`lblNumLicitacion">${OLD}<`);
    expect((await ficha('1-1-LE26')).html).not.toMatch(/id="Ficha\d"/);
  });

  test('a token that was encoded again, or is over, ends the session', async () => {
    const { answer } = await ficha(OLD!);
    const { pathname, search } = new URL(answer.url);
    const encoded = `?qs=${encodeURIComponent(search.slice(4))}`;
    expect((await page(`${pathname}${encoded}`)).html).toContain('Sesion expirada');
    await knobs({ expireTokens: true });
    expect((await page(`${pathname}${search}`)).html).toContain('Sesion expirada');
  });

  test('a button without its page’s fields, cookie or coordinates gives no file', async () => {
    const { html, cookie } = await ficha(OLD!);
    const link = /\.\.(\/Attachment\/ViewAttachment\.aspx\?enc=[A-Za-z0-9+/=]+)/.exec(html)![1]!;
    const path = `/Procurement/Modules${link}`;
    const listing = await page(path, { headers: { cookie } });
    const control = 'DWNL$grdId$ctl02$search';
    const press = async (change: (fields: URLSearchParams) => void, who = cookie) => {
      const fields = hiddenIn(listing.html);
      fields.set(`${control}.x`, '1');
      fields.set(`${control}.y`, '1');
      change(fields);
      const headers = { cookie: who, 'content-type': 'application/x-www-form-urlencoded' };
      return (await page(path, { method: 'POST', headers, body: String(fields) })).html;
    };
    expect(await press(() => undefined)).toMatch(/^%PDF/);
    expect(await press((fields) => fields.delete('__VIEWSTATE'))).toContain('Sesion expirada');
    expect(await press((fields) => fields.delete('__EVENTVALIDATION'))).toContain('Sesion expirada');
    expect(await press((fields) => fields.delete(`${control}.y`))).toContain('Sesion expirada');
    expect(await press(() => undefined, 'ASP.NET_SessionId=other')).toContain('Sesion expirada');
  });

  test('offers open with the time, and so does the rest', async () => {
    expect((await ficha(NEW!)).html).toMatch(/id="imgCuadroOferta"[^>]* disabled/);
    clock.nowMs += 60 * 86_400_000;
    const later = (await ficha(NEW!)).html;
    clock.nowMs = NOW_MS;
    expect(later).not.toMatch(/id="imgCuadroOferta"[^>]* disabled/);
  });
});

test('another process holds the same, another seed something else', async () => {
  const own = sandbox.ledger(ticket);
  const same = createProcurementSandbox({ now: () => NOW_MS });
  const other = createProcurementSandbox({ now: () => NOW_MS, seed: 'other' });
  expect(same.ledger(ticket)).toEqual(own);
  expect(other.ledger(ticket)).not.toEqual(own);
  expect(own.documentos!.now.count).toBeGreaterThan(0);
  await Promise.all([same.close(), other.close()]);
});

test('its doors refuse what they do not know', async () => {
  expect((await fetch(`${url}/_sandbox/ledger`)).status).toBe(400);
  const ledger = await (await fetch(`${url}/_sandbox/ledger?login=${ticket}`)).json();
  expect(ledger).toEqual(sandbox.ledger(ticket));
  const headers = { 'content-type': 'application/json' };
  const bad = await fetch(`${url}/_sandbox/knobs`, { method: 'POST', headers, body: '{"nothing":1}' });
  expect(bad.status).toBe(400);
});

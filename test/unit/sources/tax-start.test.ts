/** What a browser does between login and data: the adapter does it once a session when an app refuses (tax.md §2.5). */
import { describe, expect, test } from 'vitest';
import { findLanding } from '#shared/sources/tax/page-signs.ts';
import { source } from '#shared/sources/tax/source.ts';
import { createAsk } from './ask.ts';
import { startLiar } from './tax-liar.ts';
import { failureOf, inSession, ioWith, labelled, pull, requestOf, sandboxUrl } from './tax-stage.ts';

const ORIGIN = 'https://misiir.sii.cl';

interface Logins {
  logins: number;
  sessions: number;
}

const loginsOf = async (rut: unknown): Promise<Logins> =>
  (await fetch(`${sandboxUrl()}/_sandbox/logins?login=${String(rut)}`)).json() as Promise<Logins>;

test.each([
  ['no rights until the start calls came', 'works: no rights until'],
  ['every data call refused until the landing page was opened', 'works: data calls refused until the landing page'],
])('%s: one login is enough', async (_what, label) => {
  const entry = labelled(label);
  const { logins } = await loginsOf(entry.credentials.rut);
  const { rows, notices } = await pull(entry);
  expect([rows.length > 0, notices]).toEqual([true, []]);
  expect((await loginsOf(entry.credentials.rut)).logins).toBe(logins + 1);
});

test('a login without rights makes the start calls once a session, and is then refused', async () => {
  const entry = labelled('no rights over the company');
  const liar = await startLiar(sandboxUrl());
  const io = ioWith(new AbortController().signal, liar.url);
  try {
    await inSession(entry, async (session) => {
      const read = () =>
        source.pull(requestOf(entry), { session, ask: createAsk().ask, io, progress: () => undefined });
      expect(await failureOf(read)).toMatchObject({ code: 'source.wrong_company' });
      expect(liar.called).toEqual(['getResumen', 'getDatosInicio', 'getResumen']);
      expect(await failureOf(read)).toMatchObject({ code: 'source.wrong_company' });
      expect(liar.called.slice(3)).toEqual(['getResumen']);
    });
  } finally {
    await liar.close();
  }
});

test('start calls that the pace interrupts are continued, not begun again', async () => {
  const entry = labelled('works: no rights until');
  const asked = createAsk();
  const pace = new Error('the pace allows no call now');
  await inSession(entry, async (session) => {
    const readWith = (calls: number) => {
      let left = calls;
      const turn = async () => {
        if (left-- === 0) throw pace;
      };
      const io = { ...ioWith(new AbortController().signal), turn };
      return failureOf(() => source.pull(requestOf(entry), { session, ask: asked.ask, io, progress: () => undefined }));
    };
    for (let round = 0; round < 3; round++) expect(await readWith(4)).toBe(pace);
    expect(asked.kept.size).toBe(0);
    expect(await readWith(4)).toBe(pace);
    expect(asked.kept.size).toBeGreaterThan(0);
  });
});

describe('the landing page', () => {
  test.each([
    [`<script>location.replace("${ORIGIN}/cgi_misii/siihome.cgi");</script>`, `${ORIGIN}/cgi_misii/siihome.cgi`],
    [`<script>window.location.replace( '${ORIGIN}/otra?x=1' )</script>`, `${ORIGIN}/otra?x=1`],
    ["<script>location.replace('/AUT2000/listo.html')</script>", 'https://zeusr.sii.cl/AUT2000/listo.html'],
  ])('of %s is %s', (page, landing) => expect(findLanding(page)).toBe(landing));

  test.each([
    '<p>Bienvenido</p>',
    "<script>location.replace('https://example.com/siihome.cgi')</script>",
    "<script>location.replace('http://misiir.sii.cl/cgi_misii/siihome.cgi')</script>",
    "<script>location.replace('https://misiir.sii.cl.example.com/')</script>",
    "<script>location.replace('https://user@example.com#misiir.sii.cl')</script>",
    "<script>location.replace('')</script>",
    '<script>location.replace(destino)</script>',
  ])('of %s is not followed', (page) => expect(findLanding(page)).toBeUndefined());
});

/**
 * Every page in every look: no finding of axe, no page wider than its screen, and no table that hides columns, on a
 * phone except the rows of a scope and the months, which are made for it. `EVERY_LOOK=1` tries both languages,
 * themes and sizes with each other and saves pictures; otherwise two looks have each of them once.
 */
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '#test/helpers/e2e-integrator.ts';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import { allFindings } from './accessibility.ts';
import { CHROMIUM } from './chromium.ts';
import { overflow } from './page-measures.ts';
import { type Look, PHONE, stories, useBrowser } from './use-browser.ts';

const ROOT = join(import.meta.dirname, '../..');
const PICTURES = join(ROOT, 'dist/screenshots/every-page');
const IS_EVERY = process.env.EVERY_LOOK === '1';
const WIDE = { width: 1440, height: 900 };

const stage = useSharedStack();
const web = useBrowser(stage);

/** Names of frames on the page that scroll sideways. */
const SCROLLED_FRAMES = `[...document.querySelectorAll('main *')]
  .filter((each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX === 'auto')
  .map((each) => (each.getAttribute('aria-label') ?? each.className) + ' by ' + (each.scrollWidth - each.clientWidth) + ' px')`;
const MAY_SCROLL = /^(?:Tabla|Table): |^Estado de los meses |^State of the months /;

const ALL_LOOKS = (['es-CL', 'en-GB'] as const).flatMap((locale) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    [WIDE, PHONE].map((viewport) => ({ locale, colorScheme, viewport }) satisfies Look),
  ),
);
const LOOKS = IS_EVERY ? ALL_LOOKS : [ALL_LOOKS[0]!, ALL_LOOKS.at(-1)!];

/** Addresses of the dashboard's routes, as the folders of its pages declare them. */
const declaredRoutes = (): string[] =>
  globSync('dashboard/src/*/routes.ts', { cwd: ROOT })
    .flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(/path: '([^']+)'/g)])
    .map(([, path]) => path!)
    .sort();

/** A receiver that closes each connection: the error of its deliveries is a sentence. */
const closing = createServer((socket) => socket.destroy());

/** Route → an address of it. */
const addresses = new Map<string, string>();
let link: string;

/** Sends a test delivery: the tables of deliveries and of the inbox get a row. */
const deliver = async (webhook: string, outcome: 'delivered' | 'failed'): Promise<void> => {
  const { api } = stage;
  const { id } = (await api.must(202, 'POST', `/webhooks/${webhook}/test`, { body: {} })).data;
  await until(`a delivery that is ${outcome}`, async () => {
    const { status } = await api.get(`/webhooks/${webhook}/deliveries/${id}`);
    return status === outcome;
  });
};

const storeExamples = async (): Promise<void> => {
  const { api } = stage;
  const id = await api.connect({ rut: '70000002-8', password: 'clave-de-prueba' }, 'Comercial Ñandú SpA');
  await api.finished(id, await api.sync(id));
  const wrong = await api.connect({ rut: '70000010-9', password: 'clave-de-prueba' }, 'Clave mala');
  await api.finished(wrong, await api.sync(wrong));
  const as = 'session';
  const body = {
    external_source_code: 'tax',
    enabled_scopes: ['rcv'],
    kind: 'single',
    asked_by: 'Contadores Asociados',
  };
  link = (await api.must(201, 'POST', '/connect-links', { as, body })).data.url;
  await api.must(201, 'POST', '/api-keys', { as, body: { name: 'Contabilidad' } });
  const { id: webhook } = await api.subscribe();
  await deliver(webhook, 'delivered');
  const { port } = closing.address() as AddressInfo;
  const change = (url: string) => api.must(200, 'PATCH', `/webhooks/${webhook}`, { body: { url } });
  await change(`http://127.0.0.1:${port}/`);
  await deliver(webhook, 'failed');
  await change(api.file.inbox);
  for (const path of [
    'connections/:id',
    'connections/:id/coverage',
    'connections/:id/credentials',
    'connections/:id/edit',
  ])
    addresses.set(path, path.replace(':id', id));
  addresses.set('data/:connectionId/:scope', `data/${id}/rcv`);
  addresses.set('webhooks/:id', `webhooks/${webhook}`);
  // What a page says when the address is not complete, or names nothing.
  addresses.set('a connection that is gone', 'connections/00000000-0000-4000-8000-000000000000');
  addresses.set('a connection in error', `connections/${wrong}`);
  addresses.set('no page', 'nada');
  for (const path of declaredRoutes()) if (!path.includes(':')) addresses.set(path, path);
};

beforeAll(async () => {
  await once(closing.listen(0, '127.0.0.1'), 'listening');
  if (CHROMIUM !== null) await storeExamples();
}, 120_000);
afterAll(() => closing.close());

stories('every page', () => {
  test('is among those that are tried', () => {
    expect(declaredRoutes().length).toBeGreaterThan(10);
    expect(declaredRoutes().filter((path) => !addresses.has(path))).toEqual([]);
  });

  test.each(LOOKS.map((look) => [`${look.locale} ${look.colorScheme} ${look.viewport.width}`, look] as const))(
    'is readable: %s',
    async (name, look) => {
      web.expects('status of 404');
      web.expects('status of 400');
      const page = await web.signedIn('/connections', look);
      const found: string[] = [];
      const check = async (what: string): Promise<void> => {
        await expect.poll(() => page.locator('h1').count(), { message: `${what} has a heading` }).toBeGreaterThan(0);
        await page.waitForLoadState('networkidle');
        found.push(...((await overflow(page)) > 0 ? [`${what}: wider than the screen`] : []));
        const frames = (await page.evaluate(SCROLLED_FRAMES)) as string[];
        const cut = frames.filter((name) => look.viewport !== PHONE || !MAY_SCROLL.test(name));
        found.push(...cut.map((name) => `${what}: ${name} is cut`));
        found.push(...(await allFindings(page)).map((finding) => `${what}: ${finding}`));
        if (!IS_EVERY) return;
        mkdirSync(PICTURES, { recursive: true });
        const file = `${what} ${name}`.replaceAll(/[^\w-]+/g, '-');
        await page.screenshot({ path: join(PICTURES, `${file}.png`), fullPage: true, animations: 'disabled' });
      };
      for (const [route, address] of addresses) {
        await page.goto(`/${address}`);
        await check(route);
      }
      await page.goto(link.slice(new URL(link).origin.length));
      await check('the page of a link');
      await page.context().clearCookies();
      await page.goto('/connections');
      await check('signing in');
      expect(found).toEqual([]);
    },
    600_000,
  );
});

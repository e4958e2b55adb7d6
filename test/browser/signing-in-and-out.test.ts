import { expect, test } from 'vitest';
import { signInConfig } from '#infra/web/sign-in-config.ts';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import { allFindings } from './accessibility.ts';
import { screenshots } from './screenshot.ts';
import { stories, useBrowser } from './use-browser.ts';

const stage = useSharedStack('seeded');
const web = useBrowser(stage);

stories('signing in and out', () => {
  test('a stranger sees only the sign-in, and scripts cannot read the cookie', async () => {
    const page = await web.open('/connections');
    await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
    // The heading appears before the page knows which way to sign in exists.
    const way = page.getByRole('button', { name: 'Entrar al entorno de desarrollo' });
    await way.waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'sign-in');

    await way.click();
    await page.getByRole('heading', { name: 'Conexiones', exact: true }).waitFor();
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: 'sb-access-token', httpOnly: true, sameSite: 'Lax' });
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  test('the page sends its first request in parallel to its scripts, and once', async () => {
    const page = await web.open('/');
    await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
    await page.getByRole('button', { name: 'Entrar al entorno de desarrollo' }).waitFor();
    const asked = async () => {
      const answered = await page.evaluate<[string, string][]>(`performance.getEntriesByType('resource')
        .map(({ name, initiatorType }) => [new URL(name).pathname, initiatorType])`);
      return answered.filter(([path]) => /^\/(?:api\/|session|config\.json)/.test(path)).sort();
    };
    await expect.poll(async () => (await asked()).length).toBe(2);
    await page.waitForLoadState('networkidle');
    expect(await asked()).toEqual([
      ['/config.json', 'link'],
      ['/session', 'link'],
    ]);
  });

  test('a stranger sees the sign-in without waiting for the API, and a signed-in person never sees it', async () => {
    const page = await web.open('/docs');
    const held: (() => Promise<void>)[] = [];
    let isHolding = true;
    const isSession = ({ pathname }: URL): boolean => pathname === '/session';
    await page.route(isSession, async (route) => {
      const hadCookie = 'cookie' in (await route.request().allHeaders());
      const refuse = () => route.fulfill({ status: 401, json: { error: { code: 'unauthorized', message: 'none' } } });
      if (isHolding) held.push(() => (hadCookie ? route.continue() : refuse()).catch(() => {}));
      else await route.continue();
    });
    const letGo = async () => {
      isHolding = false;
      for (const go of held.splice(0)) await go();
    };
    const title = page.getByRole('heading', { name: 'Iniciar sesión' });
    const inside = page.getByRole('heading', { name: 'Conexiones', exact: true });
    await page.goto('/connections');
    await page.getByRole('button', { name: 'Entrar al entorno de desarrollo' }).click();
    await expect.poll(async () => (await page.context().cookies()).length).toBe(1);
    // Requests sent before get the answers of the previous session.
    await letGo();
    await inside.waitFor();

    isHolding = true;
    await page.reload();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await page.getByRole('main').waitFor();
    expect(await title.count()).toBe(0);
    await letGo();
    await inside.waitFor();

    await page.getByRole('button', { name: 'Cerrar sesión' }).click();
    await title.waitFor();
    isHolding = true;
    await page.reload();
    await title.waitFor();
    await letGo();
  });

  test('signing out takes the cookie away; until then the head names organization and person', async () => {
    const page = await web.signedIn('/connections');
    const head = page.getByRole('banner');
    await head.getByTitle(stage.api.file.organization_id).waitFor();
    await page.getByRole('button', { name: 'Cerrar sesión' }).click();
    await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
  });

  test('a session that an operator made is handed in where nobody else issues any', async () => {
    const page = await web.open('/docs');
    await page.route('**/config.json', (route) => route.fulfill({ json: signInConfig({ signIn: 'session-token' }) }));
    await page.goto('/connections');
    const field = page.getByLabel('Sesión', { exact: true });
    await field.fill('not a session');
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByText('Esta sesión no es válida o ya terminó. Pide una nueva.').waitFor();
    expect(await field.inputValue()).toBe('not a session');
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'sign-in-with-a-session');
    await field.fill(stage.api.file.session);
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByRole('heading', { name: 'Conexiones', exact: true }).waitFor();
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  test('speaks English to a browser that asks for it', async () => {
    const page = await web.signedIn('/connections', { locale: 'en-GB' });
    await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe('en');
  });

  test('speaks the language that a stranger chose before the sign-in', async () => {
    const page = await web.open('/connections');
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('button', { name: 'Español' }).getAttribute('lang')).toBe('es');
    await page.getByRole('button', { name: 'Enter the development environment' }).click();
    await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor();
  });
});

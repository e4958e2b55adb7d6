import { beforeAll, expect, test } from 'vitest';
import { signInConfig } from '#infra/web/sign-in-config.ts';
import { useStack } from '#test/helpers/e2e-stack.ts';
import { seriousFindings } from './accessibility.ts';
import { screenshots } from './screenshot.ts';
import { stories, useBrowser } from './use-browser.ts';

const stage = useStack();
const web = useBrowser(stage);

stories('signing in and out', () => {
  // The stack's logs are searched for secrets at the end: a sync leaves something in them.
  beforeAll(async () => {
    const id = await stage.api.connect({ rut: '70000005-2', password: 'clave-de-prueba' });
    await stage.api.finished(id, await stage.api.sync(id));
  });

  test('a stranger sees the sign-in alone, and the cookie is out of reach of scripts', async () => {
    const page = await web.open('/connections');
    await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
    // The heading is there before it is known which way in there is.
    const way = page.getByRole('button', { name: 'Entrar al entorno de desarrollo' });
    await way.waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
    await screenshots(page, 'sign-in');

    await way.click();
    await page.getByRole('heading', { name: 'Conexiones' }).waitFor();
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: 'sb-access-token', httpOnly: true, sameSite: 'Lax' });
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  test('what the page asks first is asked beside its scripts, and once', async () => {
    const page = await web.open('/');
    await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
    await page.getByRole('button', { name: 'Entrar al entorno de desarrollo' }).waitFor();
    const asked = await page.evaluate<[string, string][]>(`performance.getEntriesByType('resource')
      .map(({ name, initiatorType }) => [new URL(name).pathname, initiatorType])`);
    expect(asked.filter(([path]) => /^\/(?:api\/|config\.json)/.test(path)).sort()).toEqual([
      ['/api/connections', 'link'],
      ['/config.json', 'link'],
    ]);
  });

  test('signing out takes the cookie away', async () => {
    const page = await web.signedIn('/connections');
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
    expect(await seriousFindings(page)).toEqual([]);
    await screenshots(page, 'sign-in-with-a-session');
    await field.fill(stage.api.file.session);
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByRole('heading', { name: 'Conexiones' }).waitFor();
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  test('speaks English to a browser that asks for it', async () => {
    const page = await web.signedIn('/connections', { locale: 'en-GB' });
    await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe('en');
  });
});

/** A key from the page works, is shown once, and stops working when it is revoked. */
import { expect, test } from 'vitest';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import { allFindings } from './accessibility.ts';
import { screenshots } from './screenshot.ts';
import { stories, useBrowser } from './use-browser.ts';

const stage = useSharedStack();
const web = useBrowser(stage);

const statusWith = async (key: string): Promise<number> =>
  (await fetch(`${stage.api.file.api}/connections`, { headers: { authorization: `Bearer ${key}` } })).status;

stories('API keys', () => {
  test('made, copied, used, revoked', async () => {
    const page = await web.signedIn('/api-keys');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByLabel('Nombre').fill('Sistema contable');
    await page.getByRole('button', { name: 'Crear clave' }).click();
    const key = await page.getByRole('alert', { name: 'Clave nueva: Sistema contable' }).locator('pre').innerText();
    expect(key).toMatch(/^svc_sk_[\w-]{43}$/);
    stage.secrets.add(key);
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'api-keys');
    await page.getByRole('button', { name: 'Copiar' }).click();
    await page.getByRole('button', { name: 'Copiado' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    expect(await statusWith(key)).toBe(200);

    await page.getByRole('button', { name: 'Ya lo guardé' }).click();
    await page.reload();
    await page.getByRole('rowheader', { name: 'Sistema contable' }).waitFor();
    expect(await page.content()).not.toContain(key);

    await page.getByRole('button', { name: 'Revocar la clave Sistema contable' }).click();
    await page.getByText('dejan de funcionar de inmediato').waitFor();
    await page.getByRole('button', { name: 'Cancelar' }).click();
    expect(await statusWith(key)).toBe(200);
    await page.getByRole('button', { name: 'Revocar la clave Sistema contable' }).click();
    await page.getByText('dejan de funcionar de inmediato').waitFor();
    expect(await allFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Revocar la clave', exact: true }).click();
    await page
      .getByRole('row', { name: /Sistema contable/ })
      .getByText('Revocada')
      .waitFor();
    expect(await statusWith(key)).toBe(401);
  });

  test('the API’s refusals appear next to their fields, and nothing typed is lost', async () => {
    web.expects('status of 422');
    const page = await web.signedIn('/api-keys');
    await page.getByLabel('Vence (opcional)').fill('2020-01-01T12:00');
    await page.getByRole('button', { name: 'Crear clave' }).click();
    await page.getByText('debe tener al menos 1 caracteres').waitFor();
    await page.getByLabel('Nombre').fill('Otra');
    await page.getByRole('button', { name: 'Crear clave' }).click();
    await page.getByText('debe estar en el futuro').waitFor();
    expect(await page.getByLabel('Vence (opcional)').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Nombre').inputValue()).toBe('Otra');
    expect(await allFindings(page)).toEqual([]);
  });
});

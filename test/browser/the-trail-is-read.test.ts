/** A person reads who changed what, and changes the language of the page. */
import { expect, test } from 'vitest';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import { allFindings } from './accessibility.ts';
import { overflow } from './page-measures.ts';
import { screenshots } from './screenshot.ts';
import { PHONE, stories, useBrowser } from './use-browser.ts';

const stage = useSharedStack();
const web = useBrowser(stage);

stories('the trail is read', () => {
  test('a new key is the first change, made by the person who reads; English by one click', async () => {
    await stage.api.connect({ rut: '70000002-8', password: 'clave-de-prueba' }, 'Con nombre SpA');
    await stage.api.must(201, 'POST', '/api-keys', { as: 'session', body: { name: 'Rastro' } });
    const page = await web.signedIn('/trail');
    const first = page.getByRole('row').nth(1);
    await first.getByText('Clave de API creada').waitFor();
    // What still exists is named.
    await first.getByText('Rastro', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Con nombre SpA' }).first().waitFor();
    expect(await first.getByText('Tú', { exact: true }).count()).toBe(1);
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'trail');
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Trail of changes' }).waitFor();
    await page.getByRole('row').nth(1).getByText('API key created').waitFor();
    await page.setViewportSize(PHONE);
    expect(await allFindings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  });
});

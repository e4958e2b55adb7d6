/**
 * An endpoint fails and is disabled; a person sees it on the page, reactivates it, and resends its missed deliveries.
 */

import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import * as endpoints from '#shared/webhooks/endpoint.store.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { until } from '#test/helpers/e2e-integrator.ts';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import { allFindings } from './accessibility.ts';
import { CHROMIUM } from './chromium.ts';
import { screenshots } from './screenshot.ts';
import { stories, useBrowser } from './use-browser.ts';

/** Retries are due after one minute, 30 minutes and 2 hours. */
const RETRIES_STEP_MS = 1_800_000;
const ALWAYS = 1_000_000;

const stage = useSharedStack();
const web = useBrowser(stage);
let connectionId: string;

beforeAll(async () => {
  if (CHROMIUM === null) return;
  connectionId = await stage.api.connect({ rut: '70000005-2', password: 'clave-de-prueba' });
});

/** Starts a sync that ends with a delivery. */
const sync = async (): Promise<void> => {
  const { api, doors } = stage;
  await api.finished(connectionId, await api.sync(connectionId, ['2026-10']), doors.jump);
};

/** Fails one more delivery, so that the endpoint is disabled. */
const failBefore = async (id: string): Promise<void> => {
  const endpoint = (await endpoints.find(stage.api.file.organization_id, id))!;
  await endpoints.change(endpoint, { failuresInRow: WEBHOOK_LIMITS.webhookFailuresInRowMax - 1 }, BY_SERVICE);
};

const create = async (page: Page): Promise<string> => {
  await page.getByRole('button', { name: 'Usar la bandeja de este equipo' }).click();
  await page.getByRole('button', { name: 'Crear dirección' }).click();
  const secret = await page
    .getByRole('alert', { name: /Secreto de firma/ })
    .locator('pre')
    .innerText();
  stage.secrets.add(secret);
  return secret;
};

/** Another story's endpoint has the same address, and the list may be behind. */
const linkOf = (page: Page, id: string) => page.locator(`a[href="/webhooks/${id}"]`);

stories('webhooks', () => {
  test('failing, disabled, reactivated, resent', async () => {
    const { api, doors } = stage;
    const page = await web.signedIn('/webhooks');
    expect(await create(page)).toMatch(/^whsec_/);
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'webhooks');
    await page.getByRole('button', { name: 'Ya lo guardé' }).click();
    const [{ id }] = (await api.get('/webhooks')) as [{ id: string }];

    await doors.failNext(ALWAYS, 503);
    await sync();
    await page.reload();
    await page
      .getByRole('row')
      .filter({ has: linkOf(page, id) })
      .getByText('Fallando', { exact: true })
      .waitFor();
    await screenshots(page, 'webhooks-failing');
    await failBefore(id);
    await until(
      'the endpoint to be disabled',
      async () => !(await api.get(`/webhooks/${id}`)).enabled,
      async () => {
        await doors.advance(RETRIES_STEP_MS);
        await doors.jump();
      },
    );
    await linkOf(page, id).click();
    await page.getByText('Esta dirección está desactivada desde el').waitFor();
    const failed = page.getByRole('row', { name: /Fallida/ });
    await failed.first().waitFor();
    expect(await failed.first().innerText()).toMatch(/503/);
    await page.getByText('porque 20 entregas seguidas fallaron').waitFor();
    await failed
      .first()
      .getByRole('button', { name: /Ver intentos/ })
      .click();
    const attempts = page.getByRole('table', { name: /Intentos de la entrega/ });
    await attempts.getByRole('row').nth(4).waitFor();
    expect(await attempts.getByRole('row').nth(4).innerText()).toMatch(/^4\t.*Fallido\t503\trespondió 503\t[\d.]+ ms$/);
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'webhook-disabled');

    web.expects('status of 409');
    await failed
      .first()
      .getByRole('button', { name: /Reenviar/ })
      .click();
    await page.getByText('reactívala y reenvía otra vez').waitFor();

    await doors.failNext(0);
    await page.getByRole('button', { name: 'Reactivar' }).click();
    await page.getByText('Esta dirección está desactivada desde el').waitFor({ state: 'detached' });
    const before = (await doors.inbox()).filter(({ answered }) => answered === 204).length;
    await failed
      .first()
      .getByRole('button', { name: /Reenviar/ })
      .click();
    await page
      .getByRole('row', { name: /Entregada/ })
      .first()
      .waitFor();
    const received = (await doors.inbox()).filter(({ answered }) => answered === 204);
    expect(received).toHaveLength(before + 1);
    expect(received[0]?.verified).toBe(true);

    await doors.failNext(1, 503);
    await page.getByRole('button', { name: 'Enviar una prueba' }).click();
    await page.getByText('La prueba falló: respondió 503.').waitFor();
    await page.getByRole('button', { name: 'Enviar una prueba' }).click();
    await page.getByText(/La prueba llegó: tu servidor respondió 204 en [\d.]+ ms/).waitFor();
    await page
      .getByRole('row', { name: /Prueba/ })
      .nth(1)
      .waitFor();
    await page.getByText('Activa', { exact: true }).waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'webhook-tested');
  });

  test('changed, with refusals next to their fields; its secret is rolled, and it is deleted', async () => {
    web.expects('status of 422');
    const page = await web.signedIn('/webhooks');
    await page.getByLabel('URL').fill('http://example.com/hook');
    for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
    await page.getByRole('button', { name: 'Crear dirección' }).click();
    await page.getByText('elige al menos 1').waitFor();
    await page.getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Crear dirección' }).click();
    await page.getByText('Debe ser una dirección https.').waitFor();
    expect(await page.getByLabel('URL').inputValue()).toBe('http://example.com/hook');
    const first = await create(page);

    const [{ id }] = (await stage.api.get('/webhooks')) as [{ id: string }];
    await linkOf(page, id).click();
    // The form of the previous page has the same boxes, and stays until the file of this page is loaded.
    const settings = page.getByRole('region', { name: 'Datos', exact: true });
    await settings.getByRole('checkbox', { name: /La sincronización falló/ }).check();
    await settings.getByRole('button', { name: 'Guardar cambios' }).click();
    await page.getByText('Cambios guardados.').waitFor();
    const { event_types } = await stage.api.get(`/webhooks/${id}`);
    expect(event_types).toEqual(['sync.succeeded', 'sync.failed']);

    await page.getByRole('button', { name: 'Cambiar el secreto' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cambiar el secreto' }).click();
    const rolled = await page
      .getByRole('alert', { name: /Secreto de firma/ })
      .locator('pre')
      .innerText();
    stage.secrets.add(rolled);
    expect(rolled).toMatch(/^whsec_/);
    expect(rolled).not.toBe(first);
    await screenshots(page, 'webhook-secret');

    await page.getByRole('button', { name: 'Eliminar' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Eliminar' }).click();
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    expect((await stage.api.call('GET', `/webhooks/${id}`)).status).toBe(404);
  });
});

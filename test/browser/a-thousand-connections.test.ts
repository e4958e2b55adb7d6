/** The home page of an organization with 1,000 connections, whose lists are answered by the test. */
import { expect, test } from 'vitest';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import { allFindings } from './accessibility.ts';
import { listRequests, overflow } from './page-measures.ts';
import { screenshots } from './screenshot.ts';
import { DESKTOP, stories, useBrowser } from './use-browser.ts';

const stage = useSharedStack();
const web = useBrowser(stage);

/** A page of 1,000 connections, or of the 30 that need attention. */
const pageOfMany = ({ searchParams }: URL) => {
  const [limit, offset] = [Number(searchParams.get('limit')), Number(searchParams.get('offset'))];
  const isUrgent = searchParams.has('attention');
  const total = isUrgent ? 30 : 1_000;
  const data = Array.from({ length: Math.min(limit, total - offset) }, (_, at) => ({
    id: `00000000-0000-4000-8000-${String(offset + at).padStart(12, '0')}`,
    name: `Empresa ${offset + at + 1}`,
    external_source_code: 'tax',
    external_source_name: 'Servicio de Impuestos Internos',
    status: isUrgent ? 'error' : 'active',
    enabled_scopes: ['rcv'],
    metadata: {},
    sync_schedule_enabled: false,
    last_sync_status: 'succeeded',
    last_complete_period: '2026-09',
    attention: isUrgent ? ['source.account_locked'] : [],
  }));
  return { data, pagination: { total, limit, offset, has_more: offset + data.length < total } };
};

stories('a thousand connections', () => {
  test('take as many requests as forty, and the page says which of them are shown', async () => {
    const page = await web.open('/docs', { viewport: { ...DESKTOP, width: 1440 } });
    await page.route('**/api/connections?*', (route) =>
      route.fulfill({ json: pageOfMany(new URL(route.request().url())) }),
    );
    const { session: value } = stage.api.file;
    await page.context().addCookies([{ name: 'sb-access-token', value, url: stage.stack.apiUrl }]);
    await page.goto('/connections');
    await page.getByText('1 a 200 de 1.000').waitFor();
    await page.getByText('Se muestran las primeras 25.').waitFor();
    expect(await listRequests(page)).toHaveLength(3);
    expect(await overflow(page)).toBe(0);
    await page.getByRole('button', { name: 'Siguiente' }).click();
    await page.getByText('201 a 400 de 1.000').waitFor();
    expect(new URL(page.url()).search).toBe('?offset=200');
    await page.getByRole('link', { name: 'Meses por revisar (200 en esta página)' }).click();
    await page.getByText('Se revisaron las conexiones 1 a 200 de 1.000.').waitFor();
    await page.getByRole('link', { name: 'Requieren atención (30)' }).click();
    await page.getByText('Empresa 30', { exact: true }).waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'companies-attention');
  });
});

/** Sign-in on AWS: the same page, with an OpenID issuer in its configuration and its policy. */
import { expect, test } from 'vitest';
import { contentSecurityPolicy } from '#infra/web/page-headers.ts';
import { issuerOrigins, signInConfig } from '#infra/web/sign-in-config.ts';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import { allFindings } from './accessibility.ts';
import { startIssuer } from './openid-issuer.ts';
import { screenshots } from './screenshot.ts';
import { stories, useBrowser } from './use-browser.ts';

const stage = useSharedStack();
const web = useBrowser(stage);

stories('signing in at an issuer', () => {
  test('code with PKCE in a window of its own; the token ends in a cookie that no script reads', async () => {
    const { stack, api, doors } = stage;
    const aheadMs = (await doors.nowMs()) - Date.now();
    const issuer = await startIssuer(stack.issuer, api.file.organization_id, () => Date.now() + aheadMs);
    for (const origin of [issuer.url, issuer.tokensUrl]) web.expects(`asks ${origin}`);
    try {
      const page = await web.open('/docs');
      const context = page.context();
      // A page that a test answered counts as remote, and this issuer is on loopback.
      await context.grantPermissions(['local-network-access']);
      const client = { authority: issuer.url, clientId: 'dashboard', scope: 'openid' };
      const settings = { signIn: { ...client, origins: [issuer.tokensUrl] } };
      await context.route('**/config.json', (route) => route.fulfill({ json: signInConfig(settings) }));
      // The answer of CloudFront for a stage with this issuer.
      const policy = contentSecurityPolicy(issuerOrigins(settings));
      await context.route(`${stack.apiUrl}/**`, async (route) => {
        if (route.request().resourceType() !== 'document') return route.fallback();
        const response = await route.fetch();
        return route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy } });
      });
      await page.goto('/connections');
      await page.getByRole('button', { name: 'Continuar' }).waitFor();
      expect(await allFindings(page)).toEqual([]);
      await screenshots(page, 'sign-in-at-issuer');

      await page.getByRole('button', { name: 'Continuar' }).click();
      await page.getByRole('heading', { name: 'Conexiones', level: 1 }).waitFor();
      const [cookie] = await context.cookies(stack.apiUrl);
      expect(cookie).toMatchObject({ name: 'sb-access-token', httpOnly: true, sameSite: 'Lax' });
      expect(issuer.refusals).toBe(0);
      const kept = await page.evaluate('JSON.stringify([document.cookie, {...localStorage}, {...sessionStorage}])');
      expect(kept).not.toContain(cookie!.value);
      await page.getByRole('button', { name: 'Cerrar sesión' }).click();
      await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
      expect(await context.cookies(stack.apiUrl)).toEqual([]);
    } finally {
      await issuer.close();
    }
  });
});

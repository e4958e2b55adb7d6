/** Pages with status 200 that arrive instead of the portal's own pages (procurement.md §3.2, §3.7). */
import { page } from './html.ts';

/**
 * A first listing behind reCAPTCHA: the page's script posts a score to its own address, and only then goes on to the
 * image CAPTCHA or to the page for automated clients.
 */
export const scoredListing = (token: string): string =>
  page(
    'Ver anexos',
    `<script src="https://www.google.com/recaptcha/enterprise.js?render=clave-ficticia"></script>
<script>
grecaptcha.enterprise.ready(function () {
  grecaptcha.enterprise.execute('clave-ficticia', { action: 'VIEWATTACHMENT' }).then(function (token) {
    fetch('ViewAttachment.aspx?ajax=1', { method: 'POST', body: 'token=' + encodeURIComponent(token) })
      .then(function (answer) { return answer.json(); })
      .then(function (verdict) {
        window.location = verdict.esPersona ? 'ViewAttachmentLC.aspx?enc=${token}' : '/Procurement/403.html';
      });
  });
});
</script>
<div id="cargando">Cargando anexos…</div>`,
    { action: `./ViewAttachment.aspx?enc=${token}`, viewState: '/wEPDwUKLTE2MDI3NzQ4MGRk' },
  );

export const MAINTENANCE = page(
  'Mercado Público',
  '<h1>Sitio en mantención</h1><p>Estamos realizando mejoras. Por favor, intente nuevamente más tarde.</p>',
);

/** Pages of the login program. Their wording is assumed, because no captured page has been published (tax.md §2.3). */
import { page } from '../../sandbox-kit/answers.ts';

const FORM = `<form method="post" action="/cgi_AUT2000/CAutInicio.cgi">
<input type="text" name="rutcntr"><input type="password" name="clave"><input type="hidden" name="rut">
<input type="hidden" name="dv"><input type="hidden" name="referencia"><input type="hidden" name="411">
</form><a href="/ayudas/clave.html">¿Su clave está bloqueada? Recupérela</a>`;

const alertPage = (text: string): string => page('SII', `<script>alert('${text}'); history.back();</script>`);

export const LOGIN_PAGE = page('Ingreso con Clave Tributaria', FORM);
export const WRONG_PASSWORD = page(
  'Ingreso con Clave Tributaria',
  `<p class="error">Clave Tributaria incorrecta</p>${FORM}`,
);
export const LOCKED = page(
  'Ingreso con Clave Tributaria',
  `<p class="error">Su clave se encuentra bloqueada</p>${FORM}`,
);
export const PASSWORD_EXPIRED = page(
  'Ingreso con Clave Tributaria',
  `<p class="error">Su clave ha expirado, debe cambiarla</p>${FORM}`,
);
export const SESSION_CAP = alertPage(
  'Usted ha superado el máximo de sesiones autenticadas permitidas. Código 01.01.190.500.720.27',
);
export const MAINTENANCE = page('SII', '<p>Servicio temporalmente no disponible</p>');
export const WAITING_ROOM = page(
  'Sala de espera',
  '<script src="//static.queue-it.net/script/queueclient.js"></script>',
);
export const UNKNOWN = page('SII', '<p>Página en construcción</p>');
export const APP_PAGE = page('Registro de Compras y Ventas', '<div ng-app="consdcv"></div>');

/**
 * Returns the page after a successful login. Its script redirects to the page that the visitor requested (tax.md §2.1).
 */
export const landing = (target: string): string =>
  page('SII', `<script>location.replace(${JSON.stringify(target).replaceAll('<', '\\u003c')});</script>`);

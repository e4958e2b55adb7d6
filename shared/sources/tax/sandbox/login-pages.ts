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
const LOCKED = page('Ingreso con Clave Tributaria', `<p class="error">Su clave se encuentra bloqueada</p>${FORM}`);
const PASSWORD_EXPIRED = page(
  'Ingreso con Clave Tributaria',
  `<p class="error">Su clave ha expirado, debe cambiarla</p>${FORM}`,
);
export const SESSION_CAP = alertPage(
  'Usted ha superado el máximo de sesiones autenticadas permitidas. Código 01.01.190.500.720.27',
);
/**
 * Pages with a code of the authority's table (tax.md §2.3), by the code's last group. The table is published; how a page
 * shows the code is not known, so the pages differ: an alert, the login form with a text, the code alone.
 */
const refusedForm = (text: string): string =>
  page('Ingreso con Clave Tributaria', `<p class="error">${text}</p>${FORM}`);

const CODE_PAGES = {
  code_7: refusedForm('Intente más tarde. Código 01.01.123.212.95.07'),
  code_9: page('SII', '<p>01.01.123.212.95.09</p>'),
  code_20: refusedForm('01.01.123.212.95.20'),
  code_25: alertPage('Debe solicitar un Código Provisorio. Código 01.01.123.212.95.25'),
  code_27: alertPage('01.01.123.212.95.27'),
  code_29: refusedForm('Transcurrió el tiempo máximo de la sesión. Código 01.01.123.212.95.29'),
  code_39: refusedForm('Debe autenticarse con Certificado Digital, NO con Clave Tributaria. 01.01.123.212.95.39'),
  code_58: page('SII', '<p>Contribuyente difunto. Código 01.01.123.212.95.58</p>'),
} as const;

export const MAINTENANCE = page('SII', '<p>Servicio temporalmente no disponible</p>');
const WAITING_ROOM = page('Sala de espera', '<script src="//static.queue-it.net/script/queueclient.js"></script>');
const UNKNOWN = page('SII', '<p>Página en construcción</p>');
/** Pages of refused logins, by behaviour. */
export const REFUSAL_PAGES = {
  locked: LOCKED,
  password_expired: PASSWORD_EXPIRED,
  waiting_room: WAITING_ROOM,
  login_unknown: UNKNOWN,
  session_limit: SESSION_CAP,
  ...CODE_PAGES,
} as const;
export const APP_PAGE = page('Registro de Compras y Ventas', '<div ng-app="consdcv"></div>');

/**
 * Returns the page after a successful login. Its script redirects to the page that the visitor requested (tax.md §2.1).
 */
export const landing = (target: string): string =>
  page('SII', `<script>location.replace(${JSON.stringify(target).replaceAll('<', '\\u003c')});</script>`);

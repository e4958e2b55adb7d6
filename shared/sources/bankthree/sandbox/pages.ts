/** HTML of the portal (banks.md §3.3). No `meta` tag names the charset. */
import type { SandboxAccount } from './generate.ts';

const page = (body: string): string =>
  `<html><head><title>Banco Tres - Empresas</title></head><body>${body}<p><a href="/empresas/ayuda.asp">¿Clave bloqueada? Solicite ayuda</a></p></body></html>`;

const FORM =
  '<form method="post" action="login.asp"><input name="rut"><input name="dv"><input type="password" name="clave"></form>';

export const LOGIN_FORM = page(FORM);
export const WRONG_PASSWORD = page(`${FORM}<p>Clave Incorrecta. Al tercer intento su clave será bloqueada.</p>`);
export const LOCKED = page('<p>Su clave se encuentra BLOQUEADA. Llame a su ejecutiva.</p>');
export const PASSWORD_EXPIRED = page(`<p>Su clave ha expirado, debe cambiarla</p>${FORM}`);
export const MAINTENANCE = page('<p>Sitio en Mantención. Por favor intente nuevamente más tarde.</p>');
export const TOO_FAST = page('<p>Intente nuevamente</p>');
export const NO_MOVEMENTS = page('<p>No existen movimientos</p>');
export const NOT_AVAILABLE = page('<p>Período no disponible</p>');
export const NOT_AUTHORIZED = page('<p>Cuenta no autorizada</p>');
export const FAULT = page('<p>Error interno del servidor</p>');
export const BLOCKED = '<html><body>Request blocked.</body></html>';
export const UNKNOWN = page('<p>Conozca nuestra nueva tarjeta para pymes</p>');
export const HOME = page('<h1>Bienvenido</h1>');
export const BYE = page('<p>Sesión cerrada</p>');

export const accountsPage = (
  accounts: readonly SandboxAccount[],
  months: readonly string[],
  hasMore: boolean,
): string => {
  const options = accounts.map(
    ({ number, currency }) => `<option value="${number}">Cta. Cte. ${number.slice(-6)} ${currency}</option>`,
  );
  const dates = ['ACTUAL', ...months.map((month) => month.replace('-', ''))].map(
    (value) => `<option value="${value}">${value === 'ACTUAL' ? 'Período actual' : value}</option>`,
  );
  const more = hasMore ? '<select name="formato"><option value="TXT">Texto</option></select>' : '';
  return page(
    `<form method="post" action="cartola_txt.asp"><select name="cuenta">${options.join('')}</select><select name="fecha">${dates.join('')}</select>${more}</form>`,
  );
};

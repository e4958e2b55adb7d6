/** Pages of the portal: what stands where data were expected. */
export const HTML = 'text/html; charset=utf-8';

const page = (title: string, body: string): string =>
  `<!DOCTYPE html><html lang="es"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>`;

export const LOGIN_PAGE = page(
  'Banco Uno Empresas',
  '<form><input name="rutUsuario"><input type="password" name="clave"></form><p>Su sesión ha finalizado</p>',
);
export const FAULT_PAGE = page('Error', '<p>Servicio temporalmente no disponible [Error = 500]</p>');
export const CHALLENGE_PAGE = page('Just a moment', '<script>/* reto del borde */</script>');
export const UNKNOWN_PAGE = page('Bienvenido', '<p>Conozca nuestra nueva banca</p>');

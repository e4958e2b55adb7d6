/** HTML pages that the portal returns instead of data. */
import { page } from '../../sandbox-kit/answers.ts';

export const LOGIN_PAGE = page(
  'Banco Uno Empresas',
  '<form><input name="rutUsuario"><input type="password" name="clave"></form><p>Su sesión ha finalizado</p>',
);
export const FAULT_PAGE = page('Error', '<p>Servicio temporalmente no disponible [Error = 500]</p>');
export const CHALLENGE_PAGE = page('Just a moment', '<script>/* reto del borde */</script>');
export const UNKNOWN_PAGE = page('Bienvenido', '<p>Conozca nuestra nueva banca</p>');

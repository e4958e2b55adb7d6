/**
 * Recognizes pages with status 200 by which an institution, or a firewall in front of it, refuses everybody. Only a page
 * that arrives instead of the requested data may be checked, because data may contain the same words.
 */
import { SourceError } from '../source.ts';
import type { PageSigns } from './account-page.ts';

interface ClosedSign {
  /** Pattern for folded texts. */
  says: RegExp;
  code: 'source.maintenance' | 'source.blocked' | 'source.unavailable';
  why: string;
}

/**
 * Ends of words are not checked, because the text of a page has no blank between two elements. A wall is checked before
 * a fault, because walls also ask to try again later.
 */
const SIGNS: readonly ClosedSign[] = [
  {
    says: /(?:en|bajo|por) (?:proceso de )?(?:mantencion|mantenimiento)|(?:mantencion|mantenimiento) (?:programad|del (?:sitio|sistema|portal|servicio))|(?:labores|trabajos|tareas) de (?:mantencion|mantenimiento)|(?:under|scheduled|down for) maintenance/,
    code: 'source.maintenance',
    why: 'the institution is down for maintenance',
  },
  {
    says: /acceso (?:denegado|restringido|bloqueado)|access (?:denied|forbidden)|request (?:was )?(?:rejected|blocked|unsuccessful)|requested url was rejected|(?:eres|es|soy) un robot|(?:are you|you are|not) (?:a )?(?:human|robot)|attention required|checking your browser|captcha|trafico inusual|unusual traffic/,
    code: 'source.blocked',
    why: 'a wall against automated clients answers',
  },
  {
    says: /temporalmente (?:no disponible|fuera de servicio|suspendid)|(?:servicio|sitio|sistema|portal|pagina) (?:web )?(?:no (?:se encuentra )?disponible|(?:esta )?fuera de servicio)|intermitencia|sala de espera|waiting room|(?:service|temporarily) unavailable|bad gateway|gateway time-?out/,
    code: 'source.unavailable',
    why: 'the institution reports a fault of its own',
  },
];

/** Returns the error of such a page. The source itself classifies a page with a login form. */
export const closedPageFault = (what: string, { said, hasLoginForm }: PageSigns): SourceError | undefined => {
  const sign = hasLoginForm ? undefined : SIGNS.find(({ says }) => says.test(said));
  return sign && new SourceError(sign.code, `${what}: ${sign.why}`);
};

/**
 * Returns the error of such a page that answers a login. Its words do not prove that the password was not checked, so
 * maintenance counts as unavailable: the engine allows only a few logins whose result is unclear.
 */
export const closedLoginFault = (signs: PageSigns): SourceError | undefined => {
  const fault = closedPageFault('login', signs);
  return fault?.code === 'source.maintenance' ? new SourceError('source.unavailable', fault.message) : fault;
};

/**
 * Recognizes pages about the user's account, which an institution shows instead of a session or of data. The wordings
 * are those of banks.md §2.3 and tax.md §2.3; a page with other words counts as an ended session or as unknown.
 */

import { SessionExpired, SourceError } from '../source.ts';
import { foldText, type SeenPage, seePage } from './html.ts';

interface Sign {
  /** Pattern for folded texts. */
  says: RegExp;
  code: 'source.password_expired' | 'source.consent_expired' | 'source.session_limit';
  why: string;
  /** True if a page with a login form may say this to everybody, so that only other pages count. */
  isOfAnyForm?: boolean;
}

const SIGNS: readonly Sign[] = [
  {
    // "Si su clave ha expirado, …" and "¿Clave expirada?" on a login form are help for anybody.
    says: /(?<!si (?:su )?)clave (?:ha expirado|expirada)(?! ?\?)/,
    code: 'source.password_expired',
    why: 'the password has expired and must be changed',
  },
  { says: /sesion duplicada/, code: 'source.session_limit', why: 'the user has opened another session' },
  { says: /nuevos terminos/, code: 'source.consent_expired', why: 'the user must accept new terms', isOfAnyForm: true },
];

/** The user opened another session, which ended ours. */
class SessionTakenOver extends SessionExpired {
  override readonly code = 'source.session_limit';
}

const findSign = (said: string, hasLoginForm: boolean): Sign | undefined =>
  SIGNS.find(({ says, isOfAnyForm }) => says.test(said) && !(isOfAnyForm && hasLoginForm));

export interface PageSigns {
  /**
   * Folded text that a person reads on the page or in alerts of scripts. Links are left out, because every page has a
   * link to help on locked claves, which looks like a refusal.
   */
  said: string;
  hasLoginForm: boolean;
}

export const readSigns = (html: string): PageSigns => {
  const { alerts, visible, hasPasswordField }: SeenPage = seePage(html);
  return { said: foldText(`${visible}\n${alerts}`), hasLoginForm: hasPasswordField };
};

/** Returns the error of a login that was answered with such a page. */
export const loginPageFault = ({ said, hasLoginForm }: PageSigns): SourceError | undefined => {
  const sign = findSign(said, hasLoginForm);
  return sign && new SourceError(sign.code, `login: ${sign.why}`);
};

/** Returns the error of a call within a session that was answered with such a page. */
export const dataPageFault = (
  what: string,
  { said, hasLoginForm }: PageSigns,
): SourceError | SessionExpired | undefined => {
  const sign = findSign(said, hasLoginForm);
  if (sign === undefined) return undefined;
  const detail = `${what}: ${sign.why}`;
  return sign.code === 'source.session_limit' ? new SessionTakenOver(detail) : new SourceError(sign.code, detail);
};

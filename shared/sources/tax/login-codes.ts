/**
 * Error codes of the login program, such as `01.01.123.212.95.28`. By the tax authority's own table only the last group
 * counts (tax.md §2.3).
 */
import type { SourceErrorCode } from '#shared/values/sync-errors.ts';
import { SourceError } from '../source.ts';

/** At most this many groups are read, so that a page of digits takes linear time. */
const CODE = /(?<![\d.])01\.01(?:\.\d{1,6}){2,12}\.(\d{1,3})(?![\d.]*\d)/;

interface CodeMeaning {
  codes: readonly number[];
  code: SourceErrorCode;
  message: string;
}

const MEANINGS: readonly CodeMeaning[] = [
  {
    codes: [9, 19],
    code: 'source.account_locked',
    message: 'the tax authority locked the password after several wrong ones. It unlocks the password after one hour',
  },
  {
    codes: [20],
    code: 'source.invalid_credentials',
    message: 'the tax authority refused the password. Check it at sii.cl, then update it here',
  },
  {
    codes: [55],
    code: 'source.invalid_credentials',
    message:
      'the tax authority refused the password, and three tries are left before it locks it for one hour. Check it at sii.cl, then update it here',
  },
  {
    codes: [27],
    code: 'source.session_limit',
    message:
      'ten sessions are open at the tax authority, which is the most it allows. Close some at sii.cl; each one ends one hour after its login',
  },
  {
    codes: [39],
    code: 'source.login_not_allowed',
    message:
      'this account may log in with a digital certificate only. Allow the password at sii.cl, "Cambiar clave y datos de Autenticación", then try again',
  },
  {
    codes: [58, 59],
    code: 'source.login_not_allowed',
    message:
      'the tax authority lists the person with this RUT as deceased. Connect with the RUT of another representative',
  },
  {
    codes: [25, 47, 48, 49, 51, 53],
    code: 'source.password_expired',
    message:
      'the tax authority asks for a provisional code. Get one at its office ("Código Provisorio"), set a new password at sii.cl, then update it here',
  },
  {
    codes: [28, 29, 71, 76, 77, 78, 82, 83, 84, 85],
    code: 'source.unavailable',
    message: 'the tax authority lost the session of this login',
  },
  {
    codes: [1, 2, 3, 4, 5, 7, 11, 12, 13, 14, 23, 26, 30, 52],
    code: 'source.unavailable',
    message: 'the tax authority cannot log in now and asks to try again later',
  },
  {
    codes: [56, 57, 72, 73, 74, 75],
    code: 'source.unavailable',
    message: 'the tax authority has a fault of its own. If it stays, call its help desk ("Mesa de Ayuda")',
  },
];

const BY_CODE = new Map(MEANINGS.flatMap((meaning) => meaning.codes.map((code) => [code, meaning])));

/** Returns the error of a login whose page has a code of the table; undefined for a page without such a code. */
export const codeRefusal = (page: string): SourceError | undefined => {
  const code = Number(CODE.exec(page)?.[1]);
  const meaning = BY_CODE.get(code);
  return meaning && new SourceError(meaning.code, `login: ${meaning.message} (code ${code}).`);
};

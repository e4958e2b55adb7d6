/**
 * Lists every notice code with its texts, for the dashboard, the API description and `/docs/errors`. A code is a scope
 * or source followed by a word of this table. Other words do not compile.
 */
import { BANK_NOTICES } from './bank-notices.ts';
import type { NoticeAbout } from './notice-about.ts';
import { READING_NOTICES } from './reading-notices.ts';
import { TENDER_NOTICES } from './tender-notices.ts';

export const NOTICES = {
  ...READING_NOTICES,
  ...BANK_NOTICES,
  ...TENDER_NOTICES,
  login_shared: {
    of: ['tax', 'bankone', 'banktwo', 'bankthree'],
    mender: 'owner',
    es: 'Otra conexión de la organización lee la misma empresa con el mismo usuario: cada fila está dos veces.',
    en: 'Another connection of the organization reads the same company with the same login, so each row is stored twice.',
    todo: 'Delete one of the connections, or give it the credentials of another login or company.',
    noLogin: 'It needs two connections: connect any login twice in one organization and synchronize.',
  },
  more_notices: {
    of: ['sync'],
    mender: 'nobody',
    es: 'Hubo más avisos que los que se muestran.',
    en: 'There were more notices than are shown.',
    todo: 'Request fewer months or tenders in one sync to see all of its notices.',
    noLogin:
      'It needs more than 20 different notices in one scope; request that many unknown tender codes in one sync.',
  },
} as const satisfies Record<string, NoticeAbout>;

export type NoticeWord = keyof typeof NOTICES;
export type NoticeCode = { [Word in NoticeWord]: `${(typeof NOTICES)[Word]['of'][number]}.${Word}` }[NoticeWord];

export interface ListedNotice extends NoticeAbout {
  code: NoticeCode;
  word: NoticeWord;
}

export const NOTICE_CATALOGUE: readonly ListedNotice[] = (Object.keys(NOTICES) as NoticeWord[]).flatMap((word) => {
  const about: NoticeAbout = NOTICES[word];
  return about.of.map((scope) => ({ code: `${scope}.${word}` as NoticeCode, word, ...about }));
});

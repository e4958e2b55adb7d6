import type { NoticeCode, NoticeWord } from './notice-catalogue.ts';

/** For scopes known only at run time: at least the word is checked by the compiler. */
export const noticeCode = (scope: string, word: NoticeWord): NoticeCode => `${scope}.${word}` as NoticeCode;

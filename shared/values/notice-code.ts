import type { NoticeCode, NoticeWord } from './notice-catalogue.ts';

/** Where the scope is known as it runs: the word at least is one of the table. */
export const noticeCode = (scope: string, word: NoticeWord): NoticeCode => `${scope}.${word}` as NoticeCode;

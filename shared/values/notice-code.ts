import type { NoticeCode, NoticeWord } from './notice-catalogue.ts';

/** Builds a notice code for a scope that is known only at run time. The compiler checks only the word. */
export const noticeCode = (scope: string, word: NoticeWord): NoticeCode => `${scope}.${word}` as NoticeCode;

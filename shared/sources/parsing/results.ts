/** Functions by which an adapter reports a faulty answer or a notice. */
import type { NoticeCode } from '#shared/values/notice-catalogue.ts';
import type { NoticeParams } from '#shared/values/notice-params.ts';
import { type JsonObject, type Notice, SourceError, type UnparsedAnswer } from '../source.ts';

/**
 * Returns the error for an answer that cannot be read or cannot be true. `what` and `why` must not quote the answer.
 */
export const unexpected = (what: string, why: string, cause?: unknown): SourceError =>
  new SourceError('source.unexpected_response', `${what}: ${why}`, { cause });

/** @param params the figures that the message names */
export const notice = (code: NoticeCode, message: string, params: NoticeParams): { notice: Notice } => ({
  notice: { code, message, params },
});

type AnswerBody = Pick<UnparsedAnswer, 'contentType' | 'body'>;

/** Runs the work that reads an answer. If the work throws, the unreadable answer is attached to the error. */
export const reading = async <Result>(
  request: JsonObject,
  { contentType, body }: AnswerBody,
  read: (answer: UnparsedAnswer) => Result | Promise<Result>,
): Promise<Result> => {
  const answer: UnparsedAnswer = { request, contentType, body };
  try {
    return await read(answer);
  } catch (error) {
    const isOurs = error instanceof SourceError && error.code === 'source.unexpected_response' && !error.unread;
    throw isOurs ? new SourceError(error.code, error.message, { cause: error, unread: answer }) : error;
  }
};

/** Returns the answer in its stored form after `check` has accepted it. */
export const checkedAnswer = (
  request: JsonObject,
  response: AnswerBody,
  check: (answer: UnparsedAnswer) => unknown,
): Promise<UnparsedAnswer> =>
  reading(request, response, async (answer) => {
    await check(answer);
    return answer;
  });

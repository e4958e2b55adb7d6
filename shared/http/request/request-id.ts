/**
 * The id that identifies a request in the log. A well-formed id from the caller is used, so that both sides share it.
 */
import { randomUUID } from 'node:crypto';
import { HTTP_LIMITS } from '#shared/http/limits.ts';

/** Excludes everything that could break a log line or a header. */
const WELL_FORMED = /^[A-Za-z0-9._:-]+$/;

export const chooseRequestId = (sent: string | undefined): string =>
  sent !== undefined && sent.length <= HTTP_LIMITS.requestIdCharsMax && WELL_FORMED.test(sent) ? sent : randomUUID();

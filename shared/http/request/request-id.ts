/**
 * The id that identifies a request in the log. If the caller sends a well-formed id, this id is used, so that both
 * sides have the same id in their logs.
 */
import { randomUUID } from 'node:crypto';
import { HTTP_LIMITS } from '#shared/http/limits.ts';

/** Excludes everything that could break a log line or a header. */
const WELL_FORMED = /^[A-Za-z0-9._:-]+$/;

export const chooseRequestId = (sent: string | undefined): string =>
  sent !== undefined && sent.length <= HTTP_LIMITS.requestIdCharsMax && WELL_FORMED.test(sent) ? sent : randomUUID();

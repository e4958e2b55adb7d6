/** The id under which a request is found in the log: the caller's own when well-formed, so that both sides share one. */
import { randomUUID } from 'node:crypto';
import { HTTP_LIMITS } from '#shared/http/limits.ts';

/** Nothing that could break a log line or a header. */
const WELL_FORMED = /^[A-Za-z0-9._:-]+$/;

export const chooseRequestId = (sent: string | undefined): string =>
  sent !== undefined && sent.length <= HTTP_LIMITS.requestIdCharsMax && WELL_FORMED.test(sent) ? sent : randomUUID();

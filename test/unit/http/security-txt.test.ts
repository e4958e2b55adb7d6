/** The contact for a report of a vulnerability, in the form of RFC 9116. */
import { afterEach, expect, test, vi } from 'vitest';
import { contract } from '#functions/api/system/get-security-txt/contract.ts';
import { handler } from '#functions/api/system/get-security-txt/handler.ts';
import { parseStage, stageNamed } from '#infra/stages.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { call } from '#test/helpers/http.ts';

afterEach(() => plantClock(undefined));

test('names the contact of the stage, and a date within a year', async () => {
  vi.stubEnv('SECURITY_CONTACT', 'mailto:security@example.com');
  plantClock(() => Date.UTC(2026, 10, 27, 1));
  const answer = await call(contract, handler);
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(answer.text).toBe(
    'Contact: mailto:security@example.com\nExpires: 2027-05-26T00:00:00.000Z\nPreferred-Languages: es, en\n',
  );
});

test.each(['security@example.com', 'http://example.com/report', 'mailto:', 'mailto:a@b\nExpires: now'])(
  '%j is no contact of a stage',
  (securityContact) => {
    expect(() => parseStage({ ...structuredClone(stageNamed('prod')), securityContact })).toThrow('securityContact');
  },
);

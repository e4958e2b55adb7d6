/** Every refusal of the service has words in both languages, and a Spanish page shows no English message of it. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ERROR_STATUS } from '#shared/http/response/errors.ts';

let findings: typeof import('../../../dashboard/src/problem/field-findings.ts');
let texts: typeof import('../../../dashboard/src/problem/refusal-texts.ts');
let refusal: typeof import('../../../dashboard/src/api/refusal.ts');
beforeAll(async () => {
  vi.stubGlobal('navigator', { languages: ['es-CL'] });
  findings = await import('../../../dashboard/src/problem/field-findings.ts');
  texts = await import('../../../dashboard/src/problem/refusal-texts.ts');
  refusal = await import('../../../dashboard/src/api/refusal.ts');
});
afterAll(() => {
  vi.unstubAllGlobals();
});

/** The page has one text for each of these. */
const GENERAL = new Set([401, 404, 429, 500, 503]);

it('has words for every code', () => {
  const codes = Object.entries(ERROR_STATUS).flatMap(([code, status]) => (GENERAL.has(status) ? [] : [code]));
  expect(codes.length).toBeGreaterThan(15);
  expect(codes.filter((code) => !texts.isDescribed(code))).toEqual([]);
  expect(texts.isDescribed('copy')).toBe(false);
});

it('shows no English rule on a Spanish page', () => {
  const read = (message: string) =>
    findings.readFindings(new refusal.ApiRefusal(422, 'validation_error', message, null));
  expect(read('url must not be a loopback address; name is required')).toEqual([
    { field: 'url', rule: 'No es válido.' },
    { field: 'name', rule: 'Falta este dato.' },
  ]);
  expect(read('body must be an object')).toEqual([
    { field: '', rule: 'Un valor no es válido. Revisa lo que escribiste.' },
  ]);
});

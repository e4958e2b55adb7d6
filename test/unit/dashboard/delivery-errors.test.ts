/** Every reason for which a delivery can fail also has a Spanish text; unknown reasons stay unchanged. */
import i18next from 'i18next';
import { beforeAll, expect, it } from 'vitest';
import { STOPPED } from '#shared/webhooks/endpoint.rules.ts';
import { deliveryError, deliveryErrorTexts } from '../../../dashboard/src/webhooks/delivery-error.ts';

beforeAll(() => i18next.changeLanguage('es'));

it.each([
  ['answered 302 (redirects are not followed)', 'redirect', '302'],
  ['answered 503', 'answered', '503'],
  ['no answer within 20 s', 'silent', '20 s'],
  ['no connection within 5 s', 'unreachable', '5 s'],
  ['destination not allowed', 'blocked', ''],
  ['the name does not resolve (ENOTFOUND)', 'dns', 'ENOTFOUND'],
  ['no connection (ECONNREFUSED)', 'connect', 'ECONNREFUSED'],
  ['TLS failed (CERT_HAS_EXPIRED)', 'tls', 'CERT_HAS_EXPIRED'],
  ['the answer is not HTTP (HPE_INVALID_CONSTANT)', 'form', 'HPE_INVALID_CONSTANT'],
  ['the connection was closed before an answer (UND_ERR_SOCKET)', 'closed', 'UND_ERR_SOCKET'],
  ['the attempt was interrupted and its outcome is unknown', 'interrupted', ''],
  [STOPPED.deleted, 'deleted', ''],
  [STOPPED.disabled, 'disabled', ''],
] as const)('%s', (error, key, a) => {
  expect(deliveryError(error)).toBe(deliveryErrorTexts.es[key].replace('{{a}}', a));
});

it('leaves one that is not known as the API says it', () => {
  expect(deliveryError('answered 503 and more')).toBe('answered 503 and more');
});

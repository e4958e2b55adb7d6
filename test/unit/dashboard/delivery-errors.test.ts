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
  ['the receiver demands a client certificate (ERR_SSL_X)', 'certificate', 'ERR_SSL_X'],
  ['the receiver refused the handshake and may demand a client certificate (ERR_SSL_X)', 'handshake', 'ERR_SSL_X'],
  ['the receiver does not accept HTTP/1.1 (ERR_SSL_X)', 'http2', 'ERR_SSL_X'],
  ['the answer is not HTTP (ANSWER_NOT_HTTP)', 'form', 'ANSWER_NOT_HTTP'],
  ['the headers of the answer are too large (ANSWER_HEAD_TOO_LARGE)', 'headers', 'ANSWER_HEAD_TOO_LARGE'],
  ['the content-length of the answer is invalid (ANSWER_LENGTH_INVALID)', 'length', 'ANSWER_LENGTH_INVALID'],
  ['the answer changes to another protocol (ANSWER_SWITCHES)', 'switches', 'ANSWER_SWITCHES'],
  ['the connection was closed before an answer (ECONNRESET)', 'closed', 'ECONNRESET'],
  ['the connection was closed within the answer (ANSWER_CUT)', 'cut', 'ANSWER_CUT'],
  ['the attempt was interrupted and its outcome is unknown', 'interrupted', ''],
  [STOPPED.deleted, 'deleted', ''],
  [STOPPED.disabled, 'disabled', ''],
] as const)('%s', (error, key, a) => {
  expect(deliveryError(error)).toBe(deliveryErrorTexts.es[key].replace('{{a}}', a));
});

it('leaves one that is not known as the API says it', () => {
  expect(deliveryError('answered 503 and more')).toBe('answered 503 and more');
});

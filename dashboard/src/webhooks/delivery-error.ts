/** Describes in the reader's language why a webhook attempt failed. An unknown error stays as the API sends it. */
import { defineTexts } from '../text/define-texts.ts';

export const deliveryErrorTexts = defineTexts(
  'delivery-error',
  {
    redirect: 'respondió {{a}} (no se siguen redirecciones)',
    answered: 'respondió {{a}}',
    silent: 'sin respuesta en {{a}}',
    unreachable: 'sin conexión en {{a}}',
    blocked: 'destino no permitido',
    dns: 'el nombre no existe ({{a}})',
    connect: 'sin conexión ({{a}})',
    tls: 'falló TLS ({{a}})',
    certificate: 'el receptor exige un certificado de cliente ({{a}})',
    handshake: 'el receptor rechazó la conexión TLS y quizás exige un certificado de cliente ({{a}})',
    http2: 'el receptor no acepta HTTP/1.1 ({{a}})',
    form: 'la respuesta no es HTTP ({{a}})',
    headers: 'los encabezados de la respuesta son demasiado grandes ({{a}})',
    length: 'el content-length de la respuesta no es válido ({{a}})',
    switches: 'la respuesta cambia a otro protocolo ({{a}})',
    closed: 'se cerró la conexión antes de responder ({{a}})',
    cut: 'se cerró la conexión en medio de la respuesta ({{a}})',
    interrupted: 'el intento se interrumpió y no se sabe cómo terminó',
    deleted: 'la dirección fue eliminada',
    disabled: 'la dirección fue desactivada',
  },
  {
    redirect: 'answered {{a}} (redirects are not followed)',
    answered: 'answered {{a}}',
    silent: 'no answer within {{a}}',
    unreachable: 'no connection within {{a}}',
    blocked: 'destination not allowed',
    dns: 'the name does not resolve ({{a}})',
    connect: 'no connection ({{a}})',
    tls: 'TLS failed ({{a}})',
    certificate: 'the receiver demands a client certificate ({{a}})',
    handshake: 'the receiver refused the handshake and may demand a client certificate ({{a}})',
    http2: 'the receiver does not accept HTTP/1.1 ({{a}})',
    form: 'the answer is not HTTP ({{a}})',
    headers: 'the headers of the answer are too large ({{a}})',
    length: 'the content-length of the answer is invalid ({{a}})',
    switches: 'the answer changes to another protocol ({{a}})',
    closed: 'the connection was closed before an answer ({{a}})',
    cut: 'the connection was closed within the answer ({{a}})',
    interrupted: 'the attempt was interrupted and its outcome is unknown',
    deleted: 'the endpoint was deleted',
    disabled: 'the endpoint was disabled',
  },
);

/** Patterns of the error messages in shared/webhooks/http-attempt.ts and delivery.rules.ts. */
const PATTERNS: readonly [RegExp, keyof typeof deliveryErrorTexts.es][] = [
  [/^answered (\d+) \(redirects are not followed\)$/, 'redirect'],
  [/^answered (\d+)$/, 'answered'],
  [/^no answer within (.+)$/, 'silent'],
  [/^no connection within (.+)$/, 'unreachable'],
  [/^destination not allowed$/, 'blocked'],
  [/^the name does not resolve \((.+)\)$/, 'dns'],
  [/^no connection \((.+)\)$/, 'connect'],
  [/^TLS failed \((.+)\)$/, 'tls'],
  [/^the receiver demands a client certificate \((.+)\)$/, 'certificate'],
  [/^the receiver refused the handshake and may demand a client certificate \((.+)\)$/, 'handshake'],
  [/^the receiver does not accept HTTP\/1\.1 \((.+)\)$/, 'http2'],
  [/^the answer is not HTTP \((.+)\)$/, 'form'],
  [/^the headers of the answer are too large \((.+)\)$/, 'headers'],
  [/^the content-length of the answer is invalid \((.+)\)$/, 'length'],
  [/^the answer changes to another protocol \((.+)\)$/, 'switches'],
  [/^the connection was closed before an answer \((.+)\)$/, 'closed'],
  [/^the connection was closed within the answer \((.+)\)$/, 'cut'],
  [/^the attempt was interrupted and its outcome is unknown$/, 'interrupted'],
  [/^the webhook endpoint was deleted$/, 'deleted'],
  [/^the webhook endpoint was disabled$/, 'disabled'],
];

export const deliveryError = (error: string): string => {
  for (const [pattern, key] of PATTERNS) {
    const found = pattern.exec(error);
    if (found) return deliveryErrorTexts.say(key, { a: found[1] ?? '' });
  }
  return error;
};

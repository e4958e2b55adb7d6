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
    form: 'la respuesta no es HTTP ({{a}})',
    closed: 'se cerró la conexión antes de responder ({{a}})',
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
    form: 'the answer is not HTTP ({{a}})',
    closed: 'the connection was closed before an answer ({{a}})',
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
  [/^the answer is not HTTP \((.+)\)$/, 'form'],
  [/^the connection was closed before an answer \((.+)\)$/, 'closed'],
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

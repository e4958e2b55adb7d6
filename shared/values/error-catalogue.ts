/**
 * Lists the codes of runs and scope outcomes with their texts, for the dashboard, the API description and
 * `/docs/errors`.
 */
import { SYNC_ERRORS, type SyncErrorCode } from './sync-errors.ts';

interface ErrorTexts {
  /** Says what happened and what to do, in Spanish and English. */
  es: string;
  en: string;
  /** Reason why no login of a simulated institution causes this error. Absent if a login causes it. */
  noLogin?: string;
}

const TEXTS = {
  'source.invalid_credentials': {
    es: 'La institución no aceptó el usuario o la clave. Actualiza los datos de acceso.',
    en: 'The institution did not accept user or password. Update the sign-in details.',
  },
  'source.password_expired': {
    es: 'La clave venció y la institución pide cambiarla. Cámbiala en su sitio y luego actualiza los datos de acceso.',
    en: 'The password expired and the institution asks to change it. Change it on its site, then update the sign-in details.',
  },
  'source.login_not_allowed': {
    es: 'La institución no permite que esta cuenta entre con clave. Pide ese permiso a la institución o usa otra cuenta.',
    en: 'The institution does not let this account sign in with a password. Ask the institution for it, or use another account.',
  },
  'source.account_locked': {
    es: 'La institución bloqueó la cuenta. Desbloquéala en su sitio y luego actualiza los datos de acceso.',
    en: 'The institution locked the account. Unlock it on its site, then update the sign-in details.',
  },
  'source.mfa_required': {
    es: 'La institución pide un segundo factor que no se puede responder desde aquí. Usa un usuario sin ese paso, o cámbialo a aprobación en el teléfono.',
    en: 'The institution asks for a second factor that cannot be answered from here. Use a user without that step, or switch it to approval on the phone.',
  },
  'source.consent_expired': {
    es: 'El permiso que diste a la institución venció. Renuévalo y actualiza los datos de acceso.',
    en: 'The consent given at the institution expired. Renew it and update the sign-in details.',
  },
  'source.wrong_company': {
    es: 'El usuario entra, pero no puede ver esta empresa. Revisa el RUT de la empresa o pide acceso a ella.',
    en: 'The user signs in but may not see this company. Check the company’s RUT or ask for access to it.',
  },
  'source.mfa_timeout': {
    es: 'Nadie aprobó el ingreso en el teléfono a tiempo. Sincroniza otra vez y apruébalo.',
    en: 'Nobody approved the sign-in on the phone in time. Synchronize again and approve it.',
  },
  'source.unavailable': {
    es: 'La institución no responde. Se intentará de nuevo en la próxima sincronización.',
    en: 'The institution does not answer. The next sync tries again.',
  },
  'source.maintenance': {
    es: 'La institución está en mantención. Intenta más tarde.',
    en: 'The institution is under maintenance. Try later.',
  },
  'source.timeout': {
    es: 'La institución tardó demasiado en responder. Intenta más tarde.',
    en: 'The institution took too long to answer. Try later.',
  },
  'source.rate_limited': {
    es: 'La institución pidió esperar: recibió demasiadas consultas. Intenta más tarde.',
    en: 'The institution asked to wait: it got too many requests. Try later.',
  },
  'source.session_limit': {
    es: 'Hay otra sesión abierta con este usuario. Ciérrala e intenta de nuevo.',
    en: 'Another session of this user is open. Close it and try again.',
  },
  'source.blocked': {
    es: 'La institución bloqueó el acceso automático. Intenta más tarde.',
    en: 'The institution blocked automatic access. Try later.',
  },
  'source.unexpected_response': {
    es: 'La institución respondió algo que no entendemos; puede haber cambiado su sitio. Ya lo sabemos.',
    en: 'The institution sent an answer that we cannot read; its site may have changed. We have been notified.',
  },
  'sync.internal_error': {
    es: 'Algo falló de nuestro lado. Ya lo sabemos.',
    en: 'Something failed on our side. We have been notified.',
    noLogin: 'It is a fault of this service, which no institution can cause; tests of the engine cause one.',
  },
  'sync.timed_out': {
    es: 'La sincronización tomó demasiado tiempo y se detuvo. Lo traído hasta ahí quedó guardado.',
    en: 'The sync took too long and was stopped. The data read until then is stored.',
    noLogin:
      'It needs a scope that runs for hours, and no simulated institution is that slow; tests of the engine move the clock.',
  },
  'sync.cancelled': {
    es: 'Alguien la canceló.',
    en: 'Somebody cancelled it.',
    noLogin: 'Any login: cancel the run with `POST /connections/{id}/sync/runs/{runId}/cancel` while it is open.',
  },
} as const satisfies Record<SyncErrorCode, ErrorTexts>;

export interface ErrorAbout extends ErrorTexts {
  code: SyncErrorCode;
  /** Who must fix the cause of the error. */
  mender: (typeof SYNC_ERRORS)[SyncErrorCode]['responsible'];
  /** True if an attempt with this error is repeated in the same run. */
  retried: boolean;
  /** True if the connection's status becomes `error`, because only new credentials help. */
  movesToError: boolean;
}

export const ERROR_CATALOGUE: readonly ErrorAbout[] = (Object.keys(SYNC_ERRORS) as SyncErrorCode[]).map((code) => {
  const { responsible, ...about } = SYNC_ERRORS[code];
  return { code, mender: responsible, ...about, ...TEXTS[code] };
});

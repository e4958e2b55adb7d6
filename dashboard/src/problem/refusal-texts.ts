import { defineTexts } from '../text/define-texts.ts';

/** Texts of refused requests by the service's codes. Other pages, limits and lost sessions have general texts. */
export const refusalTexts = defineTexts(
  'refusal',
  {
    validation_error: 'Un valor no es válido. Revisa lo que escribiste.',
    invalid_json: 'La solicitud llegó dañada. Intenta de nuevo.',
    forbidden: 'Tu sesión no tiene permiso para hacer esto.',
    method_not_allowed: 'Esta acción no existe aquí.',
    connection_disabled: 'La conexión está desactivada. Actívala primero.',
    connection_sync_in_progress: 'Hay una sincronización en curso. Espera a que termine o cancélala.',
    webhook_endpoint_disabled: 'El webhook está desactivado. Actívalo primero.',
    webhook_delivery_not_failed: 'Solo se puede reenviar una entrega fallida.',
    webhook_limit_reached: 'La organización ya tiene todos los webhooks que puede tener.',
    grant_limit_reached: 'La organización ya dio todos los permisos a aplicaciones que puede dar.',
    connect_link_limit_reached: 'La organización ya tiene todos los enlaces abiertos que puede tener.',
    connect_link_busy: 'La institución está comprobando otros datos de este enlace. Espera a que termine.',
    connect_link_ended: 'El enlace o su sesión terminó.',
    connection_other_company:
      'Estos datos de acceso son de otra empresa que la de la conexión, y las filas de dos empresas no se pueden mezclar. Crea otra conexión. Si la empresa es la misma, escribe su RUT.',
    connect_link_other_login: 'Los datos son de otro usuario u otra empresa que los de la conexión.',
    authorization_changed: 'La aplicación cambió lo que pide. Léelo otra vez antes de decidir.',
    idempotency_key_reused: 'Esta solicitud ya se envió con otros datos. Carga la página otra vez.',
    idempotency_key_in_progress: 'Esta solicitud ya está en curso. Espera un momento.',
    cursor_expired: 'La lista cambió desde que la abriste. Carga la página otra vez.',
    payload_too_large: 'Lo que enviaste es demasiado grande.',
    unsupported_media_type: 'El servicio no lee este tipo de datos.',
    sync_invalid_scopes: 'Lo que se pidió sincronizar no está activado en esta conexión.',
    sync_invalid_metadata: 'Los meses o códigos no corresponden a lo que se pidió sincronizar.',
    schedule_invalid_frequency: 'La frecuencia no es una de las que se ofrecen.',
    copy: 'Copiar el detalle técnico',
  },
  {
    validation_error: 'A value is not valid. Check what you typed.',
    invalid_json: 'The request arrived damaged. Try again.',
    forbidden: 'Your session may not do this.',
    method_not_allowed: 'This action does not exist here.',
    connection_disabled: 'The connection is disabled. Enable it first.',
    connection_sync_in_progress: 'A sync is running. Wait until it ends, or cancel it.',
    webhook_endpoint_disabled: 'The webhook is disabled. Enable it first.',
    webhook_delivery_not_failed: 'Only a failed delivery can be sent again.',
    webhook_limit_reached: 'The organization has as many webhooks as it can have.',
    grant_limit_reached: 'The organization has given as many permissions to applications as it can give.',
    connect_link_limit_reached: 'The organization has as many open links as it can have.',
    connect_link_busy: 'The institution is checking other credentials of this link. Wait until it ends.',
    connect_link_ended: 'The link or its session is over.',
    connection_other_company:
      'These credentials are of another company than the connection, and rows of two companies cannot be mixed. Create another connection. If the company is the same, type its RUT.',
    connect_link_other_login: 'The credentials are of another user or company than those of the connection.',
    authorization_changed: 'The application changed what it asks for. Read it again before you decide.',
    idempotency_key_reused: 'This request was sent with other data before. Load the page again.',
    idempotency_key_in_progress: 'This request is under way. Wait a moment.',
    cursor_expired: 'The list changed since you opened it. Load the page again.',
    payload_too_large: 'What you sent is too large.',
    unsupported_media_type: 'The service does not read this kind of data.',
    sync_invalid_scopes: 'What was requested is not enabled in this connection.',
    sync_invalid_metadata: 'The months or codes do not belong to what was requested.',
    schedule_invalid_frequency: 'The frequency is not one of those that are offered.',
    copy: 'Copy the technical detail',
  },
);

type RefusalCode = Exclude<keyof typeof refusalTexts.es, 'copy'>;
export const isDescribed = (code: string): code is RefusalCode =>
  code !== 'copy' && Object.hasOwn(refusalTexts.es, code);

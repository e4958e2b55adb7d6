import { defineTexts } from '../text/define-texts.ts';

/** Why a sync failed and what to do, by the code of the outcome (decisions.md §5). */
export const causeTexts = defineTexts(
  'causes',
  {
    'source.invalid_credentials': 'La institución no aceptó el usuario o la clave. Actualiza los datos de acceso.',
    'source.account_locked':
      'La institución bloqueó la cuenta. Desbloquéala en su sitio y luego actualiza los datos de acceso.',
    'source.mfa_required':
      'La institución pide un segundo factor que no se puede responder desde aquí. Usa un usuario sin ese paso, o cámbialo a aprobación en el teléfono.',
    'source.consent_expired':
      'El permiso que diste a la institución venció. Renuévalo y actualiza los datos de acceso.',
    'source.wrong_company':
      'El usuario entra, pero no puede ver esta empresa. Revisa el RUT de la empresa o pide acceso a ella.',
    'source.mfa_timeout': 'Nadie aprobó el ingreso en el teléfono a tiempo. Sincroniza otra vez y apruébalo.',
    'source.unavailable': 'La institución no responde. Se intentará de nuevo en la próxima sincronización.',
    'source.maintenance': 'La institución está en mantención. Intenta más tarde.',
    'source.timeout': 'La institución tardó demasiado en responder. Intenta más tarde.',
    'source.rate_limited': 'La institución pidió esperar: recibió demasiadas consultas. Intenta más tarde.',
    'source.session_limit': 'Hay otra sesión abierta con este usuario. Ciérrala e intenta de nuevo.',
    'source.blocked': 'La institución bloqueó el acceso automático. Intenta más tarde.',
    'source.unexpected_response':
      'La institución respondió algo que no entendemos; puede haber cambiado su sitio. Ya lo sabemos.',
    'sync.internal_error': 'Algo falló de nuestro lado. Ya lo sabemos.',
    'sync.timed_out': 'La sincronización tomó demasiado tiempo y se detuvo. Lo traído hasta ahí quedó guardado.',
    'sync.cancelled': 'Alguien la canceló.',
    'untried.day':
      'No se intentó entrar: hoy ya hubo dos intentos sin respuesta clara. Se intentará otra vez desde el {{at}}, o con nuevos datos de acceso.',
    'untried.run': 'No se intentó entrar otra vez: en esta sincronización ya hubo dos intentos sin respuesta clara.',
    'untried.refused': 'No se intentó entrar: la institución ya rechazó estos datos de acceso.',
    'untried.last': 'Lo último que se supo: {{last}}',
    unknown: 'Falló por una causa que no conocemos ({{code}}).',
    'notice.out_of_window': 'Algunos períodos son más antiguos que lo que la institución entrega.',
    'notice.not_available': 'La institución todavía no entrega los datos de algún período.',
    'notice.not_published': 'La institución todavía no publica la cartola de algún período.',
    'notice.total_only': 'La institución entregó solo el total de algún día o período, sin su detalle.',
    'notice.columns_missing':
      'La institución dejó de entregar algún dato de las filas; lo que ya estaba guardado se conserva.',
    'notice.lines_unreadable': 'Algunas líneas de la institución no se pudieron leer; el resto está.',
    'notice.rows_replaced': 'La cartola o nómina definitiva reemplazó filas que estaban guardadas.',
    'notice.open_rows_ignored':
      'Llegó una cartola provisoria de un mes cuya cartola definitiva ya está guardada; se conserva la definitiva.',
    'notice.states_unknown': 'Algunas filas venían en un estado que no conocemos y no se guardaron.',
    'notice.totals_differ': 'El detalle no suma el total que informa la institución.',
    'notice.fewer_than_total': 'La institución entregó menos registros que los que dice tener.',
    'notice.truncated': 'Había más licitaciones que las que se traen de una vez.',
    'notice.company_unverified': 'No se pudo comprobar que los datos sean de esta empresa.',
    'notice.hold_unknown': 'La institución no informó la retención de alguna cuenta.',
    'notice.rut_unverified': 'La institución no informó el RUT para comprobar la cuenta.',
    'notice.blocked': 'La institución impidió bajar algunos archivos.',
    'notice.not_found': 'Algún código no existe en la institución.',
    'notice.file_unavailable': 'Algunos archivos no se pudieron bajar.',
    'notice.no_tenders': 'No hay licitaciones que actualizar: agrega códigos a la conexión o elige fechas.',
  },
  {
    'source.invalid_credentials': 'The institution did not accept user or password. Update the sign-in details.',
    'source.account_locked':
      'The institution locked the account. Unlock it on its site, then update the sign-in details.',
    'source.mfa_required':
      'The institution asks for a second factor that cannot be answered from here. Use a user without that step, or switch it to approval on the phone.',
    'source.consent_expired': 'The consent given at the institution expired. Renew it and update the sign-in details.',
    'source.wrong_company':
      'The user signs in but may not see this company. Check the company’s RUT or ask for access to it.',
    'source.mfa_timeout': 'Nobody approved the sign-in on the phone in time. Synchronize again and approve it.',
    'source.unavailable': 'The institution does not answer. The next sync tries again.',
    'source.maintenance': 'The institution is under maintenance. Try later.',
    'source.timeout': 'The institution took too long to answer. Try later.',
    'source.rate_limited': 'The institution asked to wait: it got too many requests. Try later.',
    'source.session_limit': 'Another session of this user is open. Close it and try again.',
    'source.blocked': 'The institution blocked automatic access. Try later.',
    'source.unexpected_response':
      'The institution answered something we do not understand; its site may have changed. We know of it.',
    'sync.internal_error': 'Something failed on our side. We know of it.',
    'sync.timed_out': 'The sync took too long and was stopped. What came in until then is kept.',
    'sync.cancelled': 'Somebody cancelled it.',
    'untried.day':
      'No sign-in was tried: two of today ended without a clear answer. The next try is from {{at}}, or with new sign-in details.',
    'untried.run': 'No further sign-in was tried: two of this sync ended without a clear answer.',
    'untried.refused': 'No sign-in was tried: the institution refused these sign-in details before.',
    'untried.last': 'What was known last: {{last}}',
    unknown: 'It failed for a cause we do not know ({{code}}).',
    'notice.out_of_window': 'Some periods are older than what the institution hands out.',
    'notice.not_available': 'The institution does not hand out the data of some period yet.',
    'notice.not_published': 'The institution has not published the statement of some period yet.',
    'notice.total_only': 'The institution gave only the total of some day or period, without its detail.',
    'notice.columns_missing': 'The institution stopped giving some data of the rows; what was stored before is kept.',
    'notice.lines_unreadable': 'Some of the institution’s lines could not be read; the others are here.',
    'notice.rows_replaced': 'The final statement or batch took the place of rows that were stored.',
    'notice.open_rows_ignored': 'An open statement came of a month whose closed one is stored; the closed one is kept.',
    'notice.states_unknown': 'Some rows came in a state that we do not know and were not stored.',
    'notice.totals_differ': 'The detail does not add up to the total that the institution tells.',
    'notice.fewer_than_total': 'The institution gave fewer records than it says it has.',
    'notice.truncated': 'There were more tenders than are brought in at once.',
    'notice.company_unverified': 'It could not be checked that the data are of this company.',
    'notice.hold_unknown': 'The institution did not tell the hold of some account.',
    'notice.rut_unverified': 'The institution did not tell the RUT to check the account by.',
    'notice.blocked': 'The institution kept some files from being fetched.',
    'notice.not_found': 'Some code does not exist at the institution.',
    'notice.file_unavailable': 'Some files could not be fetched.',
    'notice.no_tenders': 'There are no tenders to refresh: add codes to the connection or choose dates.',
  },
);

import { defineTexts } from '../text/define-texts.ts';
import { CODE_TEXTS } from './codes.gen.ts';

/**
 * Texts that say why a sync failed and what to do, by the service's codes, and texts for logins that were not
 * attempted.
 */
export const causeTexts = defineTexts(
  'causes',
  {
    ...CODE_TEXTS.es,
    'untried.day':
      'No se intentó entrar: hoy ya hubo dos intentos sin respuesta clara. Se intentará otra vez desde el {{at}}, o con nuevos datos de acceso.',
    'untried.run': 'No se intentó entrar otra vez: en esta sincronización ya hubo dos intentos sin respuesta clara.',
    'untried.logins': 'No se intentó entrar otra vez: esta sincronización ya lo hizo dos veces.',
    'untried.refused': 'No se intentó entrar: la institución ya rechazó estos datos de acceso.',
    'untried.last': 'Lo último que se supo: {{last}}',
    read_before_month_end: 'Se leyó antes de que terminara el mes: sincronízalo otra vez.',
    half_written: 'Una sincronización se interrumpió mientras guardaba el mes: sincronízalo otra vez.',
    unknown: 'Falló por una causa que no conocemos ({{code}}).',
    'notice-unknown': 'Un aviso que esta página todavía no conoce ({{code}}).',
    'figures.account': 'cuenta {{account}}',
    'figures.since': 'desde el {{day}}',
    'figures.type': 'documentos {{type}}',
    'figures.of': '{{count}} de {{total}}',
    'figures.gap': 'de {{from}} a {{to}}',
  },
  {
    ...CODE_TEXTS.en,
    'untried.day':
      'No sign-in was tried: two of today ended without a clear answer. The next try is from {{at}}, or with new sign-in details.',
    'untried.run': 'No further sign-in was tried: two of this sync ended without a clear answer.',
    'untried.logins': 'No further sign-in was tried: this sync already made two.',
    'untried.refused': 'No sign-in was tried: the institution refused these sign-in details before.',
    'untried.last': 'What was known last: {{last}}',
    read_before_month_end: 'It was read before the month was over: synchronize it again.',
    half_written: 'A sync was interrupted while it stored the month: synchronize it again.',
    unknown: 'It failed for a cause we do not know ({{code}}).',
    'notice-unknown': 'A notice that this page does not know yet ({{code}}).',
    'figures.account': 'account {{account}}',
    'figures.since': 'since {{day}}',
    'figures.type': 'documents {{type}}',
    'figures.of': '{{count}} of {{total}}',
    'figures.gap': 'from {{from}} to {{to}}',
  },
);

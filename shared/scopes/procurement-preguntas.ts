/** Questions and answers of a tender's forum. Source: procurement.md §3.3 and the mapping of §5. */
import * as z from 'zod';
import { instant, text, uuid } from '#shared/values/fields.ts';
import { exchangeNumbers, isSameQuestion } from '#shared/values/tender-identity.ts';
import { defineScope } from './scope.ts';
import { codigo, nullableText, TENDER_SCOPE } from './tender.ts';

const identity = { codigo: codigo(), pregunta_id: text() };

const shown = {
  numero: nullableText().describe('Number within the tender.'),
  tema: nullableText(),
  pregunta: nullableText(),
  respuesta: nullableText().describe('Null until answers are published.'),
  fecha_pregunta: instant().nullable(),
  fecha_respuesta: instant().nullable(),
};

/** Not every answer contains all fields. If a field is undefined, the stored value stays. */
const parsed = z.object({ ...identity, ...z.object(shown).partial().shape });

export const procurementPreguntas = defineScope({
  ...TENDER_SCOPE,
  name: 'preguntas',
  label: 'Preguntas de licitaciones',
  parsed,
  listRow: z.object({ id: uuid(), ...identity, ...shown }),
  /** The portal never withdraws a published answer, and never changes a published question or answer. */
  tender: {
    lasting: ['respuesta', 'fecha_respuesta'],
    facts: ['numero', 'pregunta', 'fecha_pregunta', 'respuesta', 'fecha_respuesta'],
    key: ['pregunta_id'],
    isSame: isSameQuestion,
    isCopy: isSameQuestion,
    exchange: exchangeNumbers,
  },
  naturalKey: (row) => [String(row.codigo), String(row.pregunta_id)],
});

/** Tenders of public procurement. Source: procurement.md §2.4, §3.1 and the mapping of §5. */
import * as z from 'zod';
import { decimal, instant, uuid } from '#shared/values/fields.ts';
import { DAYS_IN_ORDER, dayRange, daysInOrder, defineScope, page, search } from './scope.ts';
import { codigo, FINAL_STATES, nullableText, opaque, TENDER_SCOPE, TENDER_STATES } from './tender.ts';

const BEFORE_AWARD: readonly unknown[] = ['publicada', 'cerrada'];

const moment = () => instant().nullable();

const shown = {
  nombre: nullableText(),
  descripcion: nullableText(),
  estado: nullableText().describe('Key of the state: publicada, cerrada, desierta, adjudicada, revocada, suspendida.'),
  tipo_licitacion: nullableText().describe('Two characters, e.g. LE.'),
  tipo_convocatoria: nullableText().describe('abierta or cerrada.'),
  moneda: nullableText(),
  monto_estimado: decimal().nullable(),
  organismo_razon_social: nullableText(),
  organismo_rut: nullableText(),
  unidad_compra: nullableText(),
  region: nullableText(),
  comuna: nullableText(),
  direccion: nullableText(),
  fecha_publicacion: moment(),
  fecha_inicio_preguntas: moment(),
  fecha_fin_preguntas: moment(),
  fecha_publicacion_respuestas: moment(),
  fecha_cierre: moment(),
  fecha_apertura_tecnica: moment(),
  fecha_apertura_economica: moment(),
  fecha_adjudicacion: moment().describe('Planned until `estado` is adjudicada.'),
};

/** Not every answer contains all fields. If a field is undefined, the stored value stays. */
const parsed = z.object({ codigo: codigo(), ...z.object(shown).partial().shape });

const listRow = z.object({
  id: uuid(),
  codigo: codigo(),
  ...shown,
  observed_at: instant().describe('When the portal last answered for this tender.'),
});

export const procurementLicitaciones = defineScope({
  ...TENDER_SCOPE,
  name: 'licitaciones',
  label: 'Licitaciones',
  parsed,
  listRow,
  fullRow: z.object({ ...listRow.shape, raw_ficha: opaque().describe("The portal's own record.") }),
  naturalKey: (row) => [String(row.codigo)],
  tender: {
    lasting: [],
    facts: [],
    key: [],
    isSame: () => false,
    isCopy: () => false,
    isReversed: (stored, shown) => FINAL_STATES.includes(stored.estado) && BEFORE_AWARD.includes(shown.estado),
  },
  listPath: '/procurement/licitaciones',
  filters: z
    .strictObject({
      estado: z.enum(TENDER_STATES).optional().describe('Only tenders in this state.'),
      q: search("Part of the tender's name, of the buyer's name, or of the buyer's RUT without dots and dash.", [
        'bodegas',
        'municipalidad',
        '61606402',
      ]),
      ...dayRange('`fecha_publicacion`'),
      ...page,
    })
    .refine(daysInOrder, DAYS_IN_ORDER),
});

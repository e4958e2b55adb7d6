/** Offers to a tender with their documents. Source: procurement.md §3.4 and the mapping of §5. */
import * as z from 'zod';
import { decimal, rut, text, uuid } from '#shared/values/fields.ts';
import { isSameOffer, saysNoOther } from '#shared/values/tender-identity.ts';
import { defineScope } from './scope.ts';
import { codigo, nullableText, opaque, TENDER_SCOPE } from './tender.ts';

const parsedDocumento = z.object({
  documento_id: text().describe('Stable key of the document within its offer.'),
  origen: text().describe('administrativo, tecnico or economico.'),
  nombre: nullableText(),
  locator: opaque().describe('How the file is found at the source; opaque.'),
});

const shown = {
  codigo: codigo(),
  oferente_rut: rut(),
  proveedor_razon_social: nullableText(),
  nombre_oferta: nullableText(),
  estado: nullableText(),
  total_oferta: decimal().nullable().describe("In the tender's currency."),
  habil_chileproveedores: z.boolean().nullable(),
};

export const OfertaDocumento = z.object({
  id: uuid().describe('Use it to download the file.'),
  codigo: codigo(),
  oferente_rut: rut(),
  ...parsedDocumento.shape,
});

export const procurementOfertas = defineScope({
  ...TENDER_SCOPE,
  name: 'ofertas',
  label: 'Ofertas de licitaciones',
  parsed: z.object({
    ...shown,
    /** Not every answer contains these fields. If a field is undefined, the stored value stays. */
    proveedor_razon_social: shown.proveedor_razon_social.optional(),
    estado: shown.estado.optional(),
    total_oferta: shown.total_oferta.optional(),
    documentos: z.array(parsedDocumento),
  }),
  listRow: z.object({ id: uuid(), ...shown, documentos: z.array(OfertaDocumento) }),
  tender: {
    lasting: [],
    facts: ['proveedor_razon_social', 'total_oferta'],
    key: ['nombre_oferta'],
    isSame: isSameOffer,
    isCopy: (stored, shown) =>
      stored.oferente_rut === shown.oferente_rut && saysNoOther(stored.nombre_oferta, shown.nombre_oferta),
  },
  /** The key includes the name of the offer, because a supplier may present several offers (procurement.md §3.4). */
  naturalKey: (row) => [String(row.codigo), String(row.oferente_rut), String(row.nombre_oferta ?? '')],
});

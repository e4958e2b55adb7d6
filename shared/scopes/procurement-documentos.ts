/** Documents attached to a tender. Source: procurement.md §3.2 and the mapping of §5. */
import * as z from 'zod';
import { instant, text, uuid } from '#shared/values/fields.ts';
import { isDocumentCopy, isSameDocument } from '#shared/values/tender-identity.ts';
import { defineScope } from './scope.ts';
import { codigo, nullableText, opaque, TENDER_SCOPE } from './tender.ts';

const parsed = z.object({
  codigo: codigo(),
  documento_id: text().describe('Stable key of the document within its tender.'),
  origen: text().describe('Where it is listed: bases, anexo, antecedente.'),
  nombre: nullableText(),
  tipo: nullableText(),
  descripcion: nullableText(),
  tamano: z.string().regex(/^\d+$/, 'must be a number of bytes').nullable().describe('Bytes, approximate.'),
  fecha_adjunto: instant().nullable(),
  locator: opaque().describe('How the file is found at the source; opaque.'),
});

export const procurementDocumentos = defineScope({
  ...TENDER_SCOPE,
  name: 'documentos',
  label: 'Documentos de licitaciones',
  parsed,
  listRow: z.object({ id: uuid().describe('Use it to download the file.'), ...parsed.shape }),
  tender: {
    lasting: [],
    facts: [],
    key: ['documento_id'],
    listing: 'origen',
    isSame: isSameDocument,
    isCopy: isDocumentCopy,
  },
  naturalKey: (row) => [String(row.codigo), String(row.documento_id)],
});

/** A changed tender as the API returns it. Every field is always present, null if it does not apply. */
import * as z from 'zod';
import { procurementDocumentos } from '#shared/scopes/procurement-documentos.ts';
import { procurementLicitaciones } from '#shared/scopes/procurement-licitaciones.ts';
import { procurementOfertas } from '#shared/scopes/procurement-ofertas.ts';
import { procurementPreguntas } from '#shared/scopes/procurement-preguntas.ts';
import type { TenderChange } from '#shared/tenders/read-tender-changes.store.ts';
import { instant, uuid } from '#shared/values/fields.ts';

const SCOPES = [procurementLicitaciones, procurementDocumentos, procurementPreguntas, procurementOfertas] as const;
const NAMES = SCOPES.map(({ name }) => name) as [string, ...string[]];

export const TenderChangeView = z
  .object({
    change: z.enum(['changed', 'connection_deleted']),
    codigo: z.string().nullable().describe('The tender to read again. Null if the connection was deleted.'),
    scope: z.enum(NAMES).nullable().describe('`licitaciones`: the tender itself; otherwise the list below it.'),
    connection_id: uuid().describe('The connection that stored new data or was deleted.'),
    observed_at: instant()
      .nullable()
      .describe(
        'When the portal answered that connection. Null for a deletion and for data that an interrupted sync left.',
      ),
    sequence: z.int().min(1).describe('Increases from change to change.'),
  })
  .meta({ id: 'TenderChange' });

export const toTenderChange = ({
  sequence,
  codigo,
  scope,
  connectionId,
  observedAt,
}: TenderChange): z.infer<typeof TenderChangeView> => ({
  change: codigo === null ? 'connection_deleted' : 'changed',
  codigo,
  scope,
  connection_id: connectionId,
  observed_at: observedAt,
  sequence,
});

/** What is told of a tender that is not a fault. */
import type { Notice, Parsed } from '../source.ts';

export const blocked = (scope: string, codigo: string): Notice => ({
  code: `procurement.${scope}.blocked`,
  message: `${codigo}: the portal shows a listing of attachments to persons only; it was left alone.`,
});

export const notFound = (scope: string, codigo: string): Parsed => ({
  absent: { code: `procurement.${scope}.not_found`, message: `${codigo}: the portal does not know this tender.` },
});

/**
 * Public procurement: a JSON API with a ticket, and the anonymous ficha. Source: procurement.md §2, §3, decisions.md
 * §3, §5.
 */
import * as z from 'zod';
import { secretCredential } from '#shared/values/credential-fields.ts';
import { hint } from '#shared/values/hint.ts';
import { connectionMetadata } from '#shared/values/own-metadata.ts';
import type { SourceManifest } from '../source.ts';

export const CODIGOS_MAX = 500;

export const manifest = {
  code: 'procurement',
  name: 'Mercado Público',
  type: 'procurement',
  country: 'CL',
  isActive: true,
  scopes: ['licitaciones', 'documentos', 'preguntas', 'ofertas'],
  credentialsSchema: z.strictObject({ ticket: secretCredential('Ticket of the procurement API') }),
  wireNames: {},
  sessionCookies: /^ASP\.NET_SessionId$/,
  metadataSchema: connectionMetadata({
    codigos: z
      .array(z.string().trim().min(1).max(64).meta({ pattern: '\\S' }))
      .max(CODIGOS_MAX)
      .optional()
      .meta({
        title: 'Tender codes that every sync refreshes',
        examples: [['1509-5-L114']],
        ...hint('codes.every-sync'),
      }),
  }),
  /** One worker at a time may use a ticket, because the API allows one call at a time. */
  sessionsPerLogin: 1,
  /** A ticket is no password: it goes with every call, and no source says that unclear calls lock it. */
  cannotLock: true,
  /** The API has no session. The cookies of the web side expire like a session of ASP.NET. */
  sessionIdleMs: 1_200_000,
  /** The scopes of this source do not read months. */
  backfillMonths: 0,
  hosts: { api: 'https://api.mercadopublico.cl', web: 'https://www.mercadopublico.cl' },
  /** The portal allows 10,000 calls a day per ticket, one at a time. */
  pace: { callDelayMs: 1_500, callsMax: 9_500, windowMs: 86_400_000 },
  callTimeoutMs: 90_000,
  downloadTimeoutMs: 120_000,
} as const satisfies SourceManifest;

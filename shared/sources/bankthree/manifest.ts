/** Bank three: form login and statement files. Source: banks.md §3.3 (limits, sessions), decisions.md §5. */
import * as z from 'zod';
import { rutCredential, secretCredential } from '#shared/values/credential-fields.ts';
import { connectionMetadata } from '#shared/values/own-metadata.ts';
import type { SourceManifest } from '../source.ts';

export const manifest = {
  code: 'bankthree',
  name: 'Banco Tres',
  type: 'bank',
  country: 'CL',
  isActive: true,
  scopes: ['movements', 'balances'],
  credentialsSchema: z.strictObject({
    rut: rutCredential('RUT that logs in', 'person.rut'),
    password: secretCredential('Clave'),
    company_rut: rutCredential(
      'RUT that statements must name; absent: the one that logs in',
      'statements.or-login',
    ).optional(),
  }),
  account: [['rut'], ['company_rut', 'rut']],
  wireNames: { password: ['clave'] },
  sessionCookies: /^ASPSESSIONID/,
  metadataSchema: connectionMetadata({}),
  sessionsPerLogin: 1,
  /** The session ends 600 s after the last call (banks.md §5.1). */
  sessionIdleMs: 600_000,
  backfillMonths: 3,
  hosts: { portal: 'https://www.bankthree.example' },
  /** The bank allows one download every 2 s. */
  pace: { callDelayMs: 2_000, callsMax: 30, windowMs: 60_000 },
  callTimeoutMs: 60_000,
  downloadTimeoutMs: 120_000,
} as const satisfies SourceManifest;

/** Bank one: JSON behind a browser session. Source: banks.md §3.1 (limits, sessions), decisions.md §5. */
import * as z from 'zod';
import { rutCredential, secretCredential } from '#shared/values/credential-fields.ts';
import { connectionMetadata } from '#shared/values/own-metadata.ts';
import type { SourceManifest } from '../source.ts';

export const manifest = {
  code: 'bankone',
  name: 'Banco Uno',
  type: 'bank',
  country: 'CL',
  isActive: true,
  scopes: ['transfers', 'balances', 'movements', 'nominas'],
  credentialsSchema: z.strictObject({
    rut: rutCredential('RUT of the person who logs in', 'person.rut'),
    password: secretCredential('Clave'),
    company_rut: rutCredential(
      'RUT of the company whose accounts are read; absent: the one selected at login',
      'accounts.or-selected',
    ).optional(),
  }),
  account: [['rut'], ['company_rut']],
  wireNames: { password: ['clave'] },
  sessionCookies: /^(?:SESION|XSRF-TOKEN)$/,
  metadataSchema: connectionMetadata({}),
  sessionsPerLogin: 1,
  /** The session ends 300 s after the last call (banks.md §3.1). */
  sessionIdleMs: 300_000,
  backfillMonths: 3,
  hosts: { portal: 'https://empresas.bankone.example' },
  /** The bank refuses more than 30 calls per minute. */
  pace: { callDelayMs: 2_000, callsMax: 28, windowMs: 60_000 },
  callTimeoutMs: 60_000,
  downloadTimeoutMs: 120_000,
} as const satisfies SourceManifest;

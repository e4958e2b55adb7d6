/** The national tax authority. Source: tax.md §1 (hosts), §2.4 (sessions), §3.5 (pace), decisions.md §5. */
import * as z from 'zod';
import { rutCredential, secretCredential } from '#shared/values/credential-fields.ts';
import { connectionMetadata } from '#shared/values/own-metadata.ts';
import type { SourceManifest } from '../source.ts';

export const manifest = {
  code: 'tax',
  name: 'Servicio de Impuestos Internos',
  type: 'tax_authority',
  country: 'CL',
  isActive: true,
  scopes: ['rcv', 'boletas', 'guias'],
  credentialsSchema: z.strictObject({
    rut: rutCredential('RUT of the person who logs in', 'person.rut'),
    password: secretCredential('Clave tributaria'),
    company_rut: rutCredential(
      'RUT of the company whose register is read; absent: the one that logs in',
      'register.or-login',
    ).optional(),
  }),
  account: [['rut'], ['company_rut', 'rut']],
  wireNames: { password: ['clave'] },
  sessionCookies: /^(?:TOKEN|CSESSIONID|NETSCAPE_LIVEWIRE\.(?:clave|mac|sec))$/,
  metadataSchema: connectionMetadata({}),
  sessionsPerLogin: 1,
  /**
   * Time that is assumed, because the authority does not publish it: app-server sessions end early, while the login
   * lasts for hours (tax.md §2.4).
   */
  sessionIdleMs: 600_000,
  backfillMonths: 12,
  // The app retains guides for about six months, and the exact limit is unknown (tax.md §7.4), so seven months are
  // requested.
  scopeBackfillMonths: { guias: 7 },
  hosts: { auth: 'https://zeusr.sii.cl', apps: 'https://www4.sii.cl', landing: 'https://misiir.sii.cl' },
  pace: { callDelayMs: 2_000, callsMax: 100, windowMs: 600_000 },
  callTimeoutMs: 60_000,
  downloadTimeoutMs: 120_000,
} as const satisfies SourceManifest;

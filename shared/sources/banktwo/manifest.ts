/** Bank two: REST with OAuth2 client credentials. Source: banks.md §3.2 (limits), decisions.md §5. */
import * as z from 'zod';
import { rutCredential, secretCredential } from '#shared/values/credential-fields.ts';
import { connectionMetadata } from '#shared/values/own-metadata.ts';
import type { SourceManifest } from '../source.ts';

export const manifest = {
  code: 'banktwo',
  name: 'Banco Dos',
  type: 'bank',
  country: 'CL',
  isActive: true,
  scopes: ['movements', 'balances'],
  credentialsSchema: z.strictObject({
    client_id: z.string().trim().min(1).max(128).meta({ title: 'Client id', pattern: '\\S' }),
    client_secret: secretCredential('Client secret'),
    company_rut: rutCredential('RUT of the company whose accounts are read', 'accounts.required'),
  }),
  account: [['client_id'], ['company_rut']],
  wireNames: {},
  metadataSchema: connectionMetadata({}),
  sessionsPerLogin: 5,
  /** A token is renewed at 80 % of its lifetime of 1,800 s. */
  sessionIdleMs: 1_440_000,
  backfillMonths: 3,
  hosts: { api: 'https://api.banktwo.example' },
  /**
   * The bank allows 60 calls per minute and client, and 5 calls at once. Ten calls per minute are left to the client's
   * own systems.
   */
  pace: { callDelayMs: 0, callsMax: 50, windowMs: 60_000 },
  callTimeoutMs: 30_000,
  downloadTimeoutMs: 60_000,
} as const satisfies SourceManifest;

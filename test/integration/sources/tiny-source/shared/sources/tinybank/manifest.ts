/** A bank that exists only in this test. */
import * as z from 'zod';
import type { SourceManifest } from '#shared/sources/source.ts';
import { secretCredential } from '#shared/values/credential-fields.ts';

export const manifest = {
  code: 'tinybank',
  name: 'Banco Chiquito',
  type: 'bank',
  country: 'CL',
  isActive: true,
  scopes: ['movements'],
  credentialsSchema: z.strictObject({
    user: z.string().min(1).meta({ title: 'User' }),
    password: secretCredential('Password'),
  }),
  wireNames: {},
  metadataSchema: z.strictObject({}),
  sessionsPerLogin: 1,
  sessionIdleMs: 300_000,
  backfillMonths: 2,
  hosts: { api: 'https://api.tinybank.example' },
  pace: { callDelayMs: 1_000, callsMax: 60, windowMs: 60_000 },
  callTimeoutMs: 30_000,
  downloadTimeoutMs: 30_000,
} as const satisfies SourceManifest;

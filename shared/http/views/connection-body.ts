/** Body of a request about a connection. The source validates its scopes, credentials and metadata. */
import * as z from 'zod';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { OWN_METADATA } from '#shared/values/own-metadata.ts';
import { name } from './name.ts';

const object = () => z.record(z.string(), z.unknown());

const EXAMPLE_CREDENTIALS = { rut: '76192083-9', password: 'clave-de-prueba' };

/** Properties of `metadata` that clients may send at the top level of the body by mistake. */
export const OWN_METADATA_HINTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(OWN_METADATA).map((name) => [name, 'metadata']),
);

export const NewConnection = z.strictObject({
  external_source_code: z
    .string()
    .describe('Code of an active source of GET /external-sources.')
    .meta({ examples: ['tax'] }),
  name: name(),
  enabled_scopes: z
    .array(z.string())
    .min(1)
    .describe('Scopes of the source, without duplicates.')
    .meta({ uniqueItems: true, maxItems: HTTP_LIMITS.scopesPerSourceMax, examples: [['rcv']] }),
  credentials: object()
    .describe("Must match the source's metadata.credentials_schema. Stored encrypted, never shown.")
    .meta({ examples: [EXAMPLE_CREDENTIALS] }),
  metadata: object()
    .describe("Must match the source's metadata.connection_metadata_schema; {} always does.")
    .meta({ examples: [{}] }),
});

export const ConnectionChanges = z
  .strictObject({
    name: name(),
    enabled_scopes: NewConnection.shape.enabled_scopes,
    metadata: object()
      .describe(
        '`reference`, `company_rut` and `company_name` change one by one, and null clears them. The keys of the source are ' +
          'replaced as a whole if one of them is sent, or if none of these three is.',
      )
      .meta({ examples: [{ reference: 'cliente-4711' }] }),
    credentials: object().describe('Replaces all credentials.'),
    enabled: z.boolean().describe('false disables the connection, true enables it again.'),
  })
  .partial();

/** Bodies of requests about connect links. */
import * as z from 'zod';
import { CONNECT_LINK_LIMITS } from '#shared/connect-links/limits.ts';
import { LINK_KINDS } from '#shared/connect-links/link.rules.ts';
import { uuid } from '#shared/values/fields.ts';
import { NewConnection } from './connection-body.ts';
import { name } from './name.ts';
import { HTTPS_FORM } from './webhook.ts';

const returnUrl = () =>
  z
    .string()
    .max(CONNECT_LINK_LIMITS.returnUrlCharsMax)
    .regex(new RegExp(HTTPS_FORM), 'must be an https URL without user info and fragment')
    .refine((url) => URL.canParse(url), 'must be an https URL without user info and fragment')
    .describe('Where the customer goes back to, with `link_id` and `status` in the query.')
    .meta({ format: 'uri', examples: ['https://erp.example/conectado'] });

export const NewConnectLink = z
  .strictObject({
    kind: z
      .enum(LINK_KINDS)
      .describe(
        'single: makes one connection, within 48 hours. repair: replaces the credentials of a connection by others of the ' +
          'same login and company, within 48 hours. standing: makes one connection for each reference that your server signed.',
      )
      .meta({ examples: ['single'] }),
    asked_by: name()
      .describe('Who asks, as the customer reads it.')
      .meta({ examples: ['Contadores Asociados'] }),
    external_source_code: NewConnection.shape.external_source_code.nullish(),
    enabled_scopes: NewConnection.shape.enabled_scopes.nullish(),
    name: name().nullish().describe("Name of the connections that the link makes. Absent: the source's name."),
    metadata: NewConnection.shape.metadata.nullish(),
    return_url: returnUrl().nullish(),
    connection_id: uuid().nullish().describe('For kind repair: the connection.'),
    connections_max: z
      .int()
      .min(1)
      .max(CONNECT_LINK_LIMITS.connectionsPerLinkMax)
      .nullish()
      .describe('For kind standing: how many connections the link makes at most.'),
    expires_at: z.iso
      .datetime({ offset: true, message: 'must be an ISO 8601 date-time with seconds and offset' })
      .nullish()
      .describe('For kind standing: when the link ends, at most one year ahead.'),
  })
  .meta({
    examples: [
      {
        kind: 'single',
        asked_by: 'Contadores Asociados',
        external_source_code: 'tax',
        enabled_scopes: ['rcv'],
        metadata: { reference: 'cliente-4711' },
        return_url: 'https://erp.example/conectado',
      },
    ],
  });

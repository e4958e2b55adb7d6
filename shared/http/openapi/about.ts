/** The introduction of the OpenAPI description: the service, its tags, its credentials. */
import type { Auth } from '#shared/http/contract.ts';
import { ERRORS_IN_WORDS } from './catalogues.ts';
import type { SchemaJson } from './json-schema.ts';

const DESCRIPTION = `Connects a Chilean company to its tax authority, its banks and the public procurement portal,
keeps their data synchronized, and serves them.

## How it works

1. A person **connects** the organization to a source with \`POST /connections\`; the source's own JSON Schemas
   (\`GET /external-sources\`) say which credentials it takes.
2. **A sync** is started with \`POST /connections/{id}/sync\`, or by a schedule. It answers at once with the id of a
   sync run, which goes \`queued\`, \`running\`, then \`succeeded\`, \`partial\`, \`failed\` or \`cancelled\`.
3. **Wait** for the run by reading it, or be told by a signed webhook.
4. **Read** the data. Reading never starts a sync: lists answer what the last syncs brought.

## Conventions

- Ids are UUIDs. Instants are UTC with milliseconds. Days are \`YYYY-MM-DD\`, months \`YYYY-MM\`, both in
  America/Santiago.
- Money is a decimal number in a string: \`"1190"\`, \`"-42.50"\`.
- One object is in \`data\`, a list too, a paginated list has \`pagination\` beside it. Creating a connection and
  starting a sync answer the object itself.
- Lists are newest first. \`total\` is exact under every filter. An unknown or repeated filter is refused.
- Every field of an answer is always there, null when unknown. Answers may gain fields: ignore those you do not know.
- Errors are \`{"error": {"code", "message"}}\`; the code is stable. A request that does not reach the service is
  answered by the gateway with \`{"message"}\`.
- Unknown paths answer 404 \`not_found\`, known paths with another method 405 \`method_not_allowed\` with \`Allow\`.
- Send an \`Idempotency-Key\` with a POST and repeat it safely for 24 hours.

## Credentials

| Kind | How it is sent | May |
| --- | --- | --- |
| API key | \`Authorization: Bearer svc_sk_…\` | all but creating, changing and deleting connections, and API keys |
| Access token | \`Authorization: Bearer svc_at_…\` | read connections, sync runs and data, not procurement |
| Session | cookie \`sb-access-token\` | all but procurement |

The organization follows from the credential. What belongs to another one is answered as if it did not exist.

${ERRORS_IN_WORDS}`;

export const ABOUT: SchemaJson = {
  openapi: '3.1.0',
  info: {
    title: 'Data connections API',
    version: '1.0.0',
    summary: 'Chilean tax, bank and procurement data of a company, synchronized and normalized.',
    description: DESCRIPTION,
    contact: { name: 'Data connections API team' },
    license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
  },
  servers: [{ url: '/api', description: 'The host that serves this description.' }],
};

/** This tag is separate from the tag for managing webhook endpoints, because generators build one class per tag. */
export const EVENTS_TAG = 'Webhook events';
const SYSTEM = 'System';

/** Tags in the order in which a new reader needs them. */
const TAGS: Readonly<Record<string, string>> = {
  'External sources': 'Sources that can be connected, and the data that each one needs.',
  Connections: 'An organization linked to an external source, with the scopes that are synchronized.',
  Sync: 'Runs that update the data of a connection.',
  Changes: 'Changes in the lists since your last request, to maintain your own copy.',
  Coverage: 'The stored data of each month, when it was read, and whether it adds up to the totals of the institution.',
  'Tax authority': 'Purchase and sales documents, daily receipts and dispatch guides.',
  'Bank one': 'Transfers, balances, movements and payment batches.',
  'Bank two': 'Movements and balances.',
  'Bank three': 'Movements and balances.',
  'Public procurement': 'Tenders with their documents, questions and offers, by tender code. API keys only.',
  Webhooks: 'Endpoints that get an event when a sync ends, and their deliveries.',
  [EVENTS_TAG]: 'The requests that a webhook endpoint receives when a sync ends.',
  'API keys': 'Keys of the organization. They are managed in a dashboard session, not with a key.',
  Applications: 'Applications that people allowed to read on their behalf. Managed only in a dashboard session.',
  Audit: 'Who changed keys, connections, webhook endpoints, applications and sessions. Read in a dashboard session.',
  [SYSTEM]: 'The service itself.',
};

/**
 * Describes the tags. A tag without a text here, such as the tag of a new source, is described by the summaries of its
 * operations.
 */
export const describeTags = (operations: readonly { tag: string; summary: string }[]): SchemaJson[] => {
  const summaries = Map.groupBy(operations, ({ tag }) => tag);
  const added = [...summaries.keys()].filter((tag) => !(tag in TAGS)).sort();
  const own = Object.keys(TAGS).filter((tag) => summaries.has(tag) || tag === EVENTS_TAG);
  return [...own.filter((tag) => tag !== SYSTEM), ...added, ...own.filter((tag) => tag === SYSTEM)].map((name) => ({
    name,
    description:
      TAGS[name] ??
      `${summaries
        .get(name)!
        .map(({ summary }) => summary)
        .join('. ')}.`,
  }));
};

export const SECURITY_SCHEMES: Record<string, SchemaJson> = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'svc_sk_…',
    description: 'API key of the organization.',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'svc_at_…',
    description: 'OAuth access token. Only for reading.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'sb-access-token',
    description: 'Dashboard session. Changes requested by a page of another origin are refused.',
  },
};

const ACCEPTED: Record<Auth, readonly string[]> = {
  public: [],
  read: ['apiKey', 'accessToken', 'session'],
  manage: ['apiKey', 'session'],
  session: ['session'],
  key: ['apiKey'],
};

export const describeSecurity = (auth: Auth): SchemaJson[] => ACCEPTED[auth].map((scheme) => ({ [scheme]: [] }));

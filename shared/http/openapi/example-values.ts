/** Example values for properties of requests whose schema has no example. The values look real but belong to nobody. */

/** Example values by property name, for properties whose format does not suffice for a plausible value. */
export const BY_NAME: Readonly<Record<string, unknown>> = {
  name: 'Mi empresa',
  title: 'Data connections API',
  version: '1.0.0',
  url: 'https://example.com/webhooks',
  q: 'nandu',
};

export const BY_FORMAT: Readonly<Record<string, unknown>> = {
  date: '2026-10-14',
  uuid: '0192f5d4-8c3e-7a10-9f6b-000000000001',
  'date-time': '2026-10-14T12:30:00.000Z',
  uri: 'https://example.com/webhooks',
};

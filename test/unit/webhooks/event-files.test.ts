import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { SQSEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { parseQuery } from '#shared/http/request/query.ts';
import { DeliveryDue } from '#shared/messaging/queues.ts';

const ROOT = join(import.meta.dirname, '../../..');
const contracts = ENDPOINTS.filter(({ tag }) => tag === 'Webhooks');
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

describe('payload files', () => {
  it.each(contracts.map((contract) => [contract.id, contract] as const))('of %s fit its contract', (id, contract) => {
    const files = globSync(`events/${id}.*.json`, { cwd: ROOT });
    expect(files).not.toEqual([]);
    for (const file of files) {
      const event = read(file);
      expect([basename(file), event.routeKey]).toEqual([basename(file), `${contract.method} /api${contract.path}`]);
      expect(Object.keys(event.pathParameters ?? {}).toSorted()).toEqual(Object.keys(contract.params).toSorted());
      expect(() => parseQuery(contract, event.rawQueryString)).not.toThrow();
      if (contract.body) expect(contract.body.safeParse(JSON.parse(event.body)).success).toBe(true);
    }
  });

  it('of deliver-webhook hold messages', () => {
    const event: SQSEvent = read('events/deliver-webhook.first-attempt.json');
    for (const { body } of event.Records) expect(DeliveryDue.safeParse(JSON.parse(body)).success).toBe(true);
  });
});

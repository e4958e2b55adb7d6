/** The libraries with which receivers verify webhooks accept a test delivery as it is sent, and refuse a changed one. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { contract } from '#functions/api/webhooks/test-webhook/contract.ts';
import { handler } from '#functions/api/webhooks/test-webhook/handler.ts';
import { call } from '#test/helpers/http.ts';
import { installedProof } from '#tools/proofs/installed.ts';
import { organization, receiver, useScriptedReceiver, world } from '../integration/webhooks/scripted-receiver.ts';
import { createEndpoint, drain } from '../integration/webhooks/world.ts';

const INSTALL_TIMEOUT_MS = 120_000;
const LIBRARIES = ['standardwebhooks', 'svix'];

useScriptedReceiver();

let packages: string | undefined;
let reason: string | undefined;
beforeAll(async () => {
  ({ packages, reason } = await installedProof('webhooks'));
}, INSTALL_TIMEOUT_MS);

interface Verifier {
  verify(body: string, headers: Record<string, string>): unknown;
}
type Library = { Webhook: new (secret: string) => Verifier };

test.for(LIBRARIES)('%s', async (name, { skip }) => {
  if (packages === undefined) return skip(reason);
  const { Webhook } = createRequire(join(packages, 'here.cjs'))(name) as Library;
  // The libraries compare the signed time with this machine's clock.
  world.clock.ms = Date.now();
  const { id, secret } = await createEndpoint(organization, receiver.url);
  expect((await call(contract, handler, { headers: organization.headers, params: { id } })).status).toBe(202);
  await drain(world);
  const [{ body, headers }] = receiver.received as [(typeof receiver.received)[0]];
  const verifier = new Webhook(secret);
  const sent = headers as Record<string, string>;
  expect(() => verifier.verify(body.toString(), sent)).not.toThrow();
  expect(() => verifier.verify(`${body.toString()} `, sent)).toThrow();
});

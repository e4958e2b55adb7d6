/**
 * `npm run -s token -- session|api-key|access-token [--organization <uuid>] [--days <n>]`: prints a token for scripts.
 * The token is for the local stack's organization unless another organization is named.
 */
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { buildResourceUrl } from '#shared/agents/addresses.ts';
import { createAccessToken } from '#shared/agents/operator-grant.ts';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import * as apiKeys from '#shared/auth/api-key.store.ts';
import { nowMs, plantClock } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import { UUID_PATTERN } from '#shared/values/fields.ts';
import { DATA_FOLDER, fail, useLocalEnvironment } from './command-line.ts';
import { signSession } from './development-session.ts';
import { developmentIssuer } from './overlay.ts';
import { readStackFile } from './stack-file.ts';

const USAGE = 'usage: npm run -s token -- session|api-key|access-token [--organization <uuid>] [--days <1..365>]';
const DAY_MS = 86_400_000;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { organization: { type: 'string' }, days: { type: 'string', default: '30' } },
});
const stack = readStackFile(DATA_FOLDER) ?? fail('no local stack was started yet: run `npm start` first');
const organizationId = values.organization ?? stack.organization_id;
if (!UUID_PATTERN.test(organizationId)) fail(USAGE);
const days = z.coerce.number().int().min(1).max(365).safeParse(values.days).data ?? fail(USAGE);
useLocalEnvironment();
// A script reads the token from the output, so nothing else may be there.
process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';

/**
 * Resolves with the difference in ms between the stack's clock and the machine's clock. It is added to the machine's
 * time, because a token's expiry by the machine's clock could already be past for the stack.
 */
const offsetMs = async (): Promise<number> => {
  const answer = await fetch(`${new URL(stack.api).origin}/_local/clock`);
  return ((await answer.json()) as { offset_ms: number }).offset_ms;
};

const isDown = (error: unknown): boolean =>
  (error as { code?: string }).code === 'ECONNREFUSED' || /ECONNREFUSED|fetch failed/.test(String(error));
const explain = (error: unknown): never =>
  fail(isDown(error) ? 'the local stack does not run: start it with `npm start`' : String(error));

const aheadMs = await offsetMs().catch(explain);
plantClock(() => Date.now() + aheadMs);
const expiresAt = new Date(nowMs() + days * DAY_MS).toISOString();

const make: Record<string, () => Promise<string>> = {
  session: () => signSession(developmentIssuer(process.env.SESSION_SECRET ?? ''), organizationId, expiresAt),
  'api-key': async () => {
    const createdAt = new Date(nowMs()).toISOString();
    const wanted = { id: newId(), name: 'token script', expiresAt, createdAt };
    return (await apiKeys.create(organizationId, wanted, BY_SERVICE)).token;
  },
  'access-token': async () =>
    (await createAccessToken(organizationId, { expiresAt, resource: buildResourceUrl(new URL(stack.api).origin) }))
      .token,
};

const [kind = ''] = positionals;
try {
  console.log(await (make[kind] ?? (() => fail(USAGE)))());
} catch (error) {
  explain(error);
}

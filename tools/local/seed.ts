/**
 * Runs after the stack is up. It creates one organization with a session, a key and an access token, writes
 * `.local/stack.json` for scripts, and prints commands that work when pasted. The organization, its key and the token
 * survive a restart.
 */

import { randomUUID } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { buildResourceUrl } from '#shared/agents/addresses.ts';
import { isActive } from '#shared/agents/grant.rules.ts';
import { find, revoke } from '#shared/agents/grant.store.ts';
import { createAccessToken } from '#shared/agents/operator-grant.ts';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import * as apiKeys from '#shared/auth/api-key.store.ts';
import { findToken } from '#shared/auth/token.store.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { signSession } from './development-session.ts';
import { findInboxSecrets } from './inbox-secrets.ts';
import { type LocalStack, STACK_FILE } from './stack.ts';
import { readAs, type StackFile } from './stack-file.ts';
import { tryIt } from './try-it.ts';

const SESSION_DAYS = 30;
const ACCESS_TOKEN_DAYS = 30;
const DAY_MS = 86_400_000;
const PRIVATE = 0o600;

/** Data of the organization that survives a restart. */
const Seeded = z.object({
  organization_id: z.uuid(),
  api_key: z.string(),
  access_token: z.string().optional(),
  grant_id: z.uuid().optional(),
});
type Seeded = z.infer<typeof Seeded>;
const SEED_FILE = 'seed.json';

/**
 * Writes the whole file or nothing, because scripts read the file as soon as it exists, which shows them that the stack
 * is ready.
 */
const writePrivately = (path: string, value: unknown): void => {
  writeFileSync(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: PRIVATE });
  renameSync(`${path}.new`, path);
};

const inDays = (days: number): string => new Date(nowMs() + days * DAY_MS).toISOString();

/** Resolves with the previous start's key if the table still has it, otherwise with a new key. */
const keyOf = async (organizationId: OrganizationId, before: Seeded | undefined): Promise<string> => {
  const known = before && (await findToken(before.api_key));
  if (known?.revokedAt === null) return before!.api_key;
  const createdAt = new Date(nowMs()).toISOString();
  const wanted = { id: newId(), name: 'local', expiresAt: null, createdAt };
  const { token } = await apiKeys.create(organizationId, wanted, BY_SERVICE);
  return token;
};

/** True if the token is for this address and valid for another day, so that programs that hold it go on. */
const isStillUsable = async (organizationId: OrganizationId, grantId: string, token: string, resource: string) => {
  const record = await findToken(token);
  const grant = await find(organizationId, grantId);
  return record?.resource === resource && isActive(grant, nowMs() + DAY_MS);
};

/**
 * Resolves with the previous start's token, or with a new one. The previous grant is then revoked, because otherwise the
 * number of grants would grow with each start.
 */
const accessTokenOf = async (
  organizationId: OrganizationId,
  before: Seeded | undefined,
  origin: string,
): Promise<{ id: string; token: string }> => {
  const { grant_id: id, access_token: token } = before ?? {};
  const resource = buildResourceUrl(origin);
  if (id !== undefined) {
    if (token !== undefined && (await isStillUsable(organizationId, id, token, resource))) return { id, token };
    const end = { at: new Date(nowMs()).toISOString(), reason: 'person' } as const;
    await revoke(organizationId, id, end, BY_SERVICE);
  }
  return createAccessToken(organizationId, { expiresAt: inDays(ACCESS_TOKEN_DAYS), resource });
};

/**
 * The properties of a stack that `seed` needs. `inbox` and `session` are optional, because a deployed stack has
 * neither.
 */
type SeededStack = Pick<LocalStack, 'dataFolder' | 'apiUrl' | 'inboxUrl' | 'issuer' | 'sandboxes' | 'environment'> & {
  inbox?: LocalStack['inbox'];
  session?: LocalStack['session'];
};

const sandboxesOf = (stack: SeededStack): StackFile['sandbox'] =>
  Object.fromEntries(
    Object.entries(stack.sandboxes).map(([code, { url, credentials }]) => {
      // The first login in each sandbox's table has no injected faults.
      const [works] = credentials as { credentials: Record<string, string>; metadata: Record<string, unknown> }[];
      const login = encodeURIComponent(String(Object.values(works!.credentials)[0]));
      const entry = { base_url: url, ledger_url: `${url}/_sandbox/ledger?login=${login}`, ...works! };
      const { base_url, ledger_url, credentials: given, metadata } = entry;
      return [code, { base_url, ledger_url, credentials: given, metadata }];
    }),
  );

export const seed = async (stack: SeededStack): Promise<StackFile> => {
  // This process needs the environment of a function, because `seed` uses the stores in the same way as functions.
  // Its log lines would be between the lines for the person.
  Object.assign(process.env, stack.environment, { POWERTOOLS_LOG_LEVEL: 'SILENT' });
  stack.inbox?.knowSecrets((body) => findInboxSecrets(body, stack.inboxUrl));
  const before = readAs(Seeded, join(stack.dataFolder, SEED_FILE));
  const organizationId = before?.organization_id ?? randomUUID();
  stack.session?.belongsTo(organizationId);
  const accessToken = await accessTokenOf(organizationId, before, stack.apiUrl);
  const file: StackFile = {
    pid: process.pid,
    api: `${stack.apiUrl}/api`,
    inbox: stack.inboxUrl,
    organization_id: organizationId,
    api_key: await keyOf(organizationId, before),
    session: await signSession(stack.issuer, organizationId, inDays(SESSION_DAYS)),
    access_token: accessToken.token,
    sandbox: sandboxesOf(stack),
  };
  const { organization_id, api_key, access_token } = file;
  const kept: Seeded = { organization_id, api_key, access_token, grant_id: accessToken.id };
  writePrivately(join(stack.dataFolder, SEED_FILE), kept);
  writePrivately(join(stack.dataFolder, 'environment.json'), stack.environment);
  writePrivately(join(stack.dataFolder, STACK_FILE), file);
  console.log(tryIt(file));
  return file;
};

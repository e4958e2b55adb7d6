/**
 * `npm run -s session -- [--stage dev] [--organization <uuid>] [--days <1..30>]`: prints a session of a deployed stage
 * whose sessions use a shared secret, such as `dev` with its sandbox. The command reads the secret from the parameter
 * store with the operator's own AWS credentials, and creates it there the first time. Only people whose AWS credentials
 * may read the parameter can sign in.
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { type Stage, stageNamed, withSandbox } from '#infra/stages.ts';
import { makeSecureString, readSecureString } from '#shared/platform/parameters.ts';
import { UUID_PATTERN } from '#shared/values/fields.ts';
import { fail } from '#tools/local/command-line.ts';
import { signSession } from '#tools/local/development-session.ts';

const USAGE = 'usage: npm run -s session -- [--stage dev] [--organization <uuid>] [--days <1..30>]';
/** Default organization of the session. Any other UUID also works. */
const ORGANIZATION = 'd3b07384-d113-4ec6-a2f6-4d6f6e657279';
const DAY_MS = 86_400_000;
const SECRET_BYTES = 48;

const read = () => {
  try {
    return parseArgs({
      options: {
        stage: { type: 'string', default: 'dev' },
        organization: { type: 'string', default: ORGANIZATION },
        days: { type: 'string', default: '1' },
      },
    }).values;
  } catch {
    return fail(USAGE);
  }
};

/** Returns the issuer's settings. @throws Error for a stage whose sessions another system issues */
const issuerOf = (stage: Stage) => {
  const { session } = withSandbox(stage);
  if (session.algorithm !== 'HS256' || session.secretParameter === null)
    throw new Error(`sessions of stage ${stage.name} are issued by ${session.issuer}: sign in there`);
  return { ...session, secretParameter: session.secretParameter };
};

const { stage, organization, days } = read();
const lifeDays = z.coerce.number().int().min(1).max(30).safeParse(days).data ?? fail(USAGE);
if (!UUID_PATTERN.test(organization)) fail(USAGE);
process.env.AWS_REGION ||= process.env.AWS_DEFAULT_REGION || fail('AWS_REGION is missing: the region of the deploy');
try {
  const { secretParameter, ...issuer } = issuerOf(stageNamed(stage));
  const isNew = await makeSecureString(secretParameter, randomBytes(SECRET_BYTES).toString('base64url'));
  if (isNew) console.error(`made the secret of sessions: ${secretParameter}`);
  const secret = await readSecureString(secretParameter);
  const expiresAt = new Date(Date.now() + lifeDays * DAY_MS).toISOString();
  console.log(await signSession({ ...issuer, secret }, organization, expiresAt));
} catch (error) {
  fail((error as Error).message);
}

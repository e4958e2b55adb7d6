// Verifies a delivery: its three headers and the secret in variables, the raw body on standard input.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { buffer } from 'node:stream/consumers';

interface Headers {
  id: string;
  timestamp: string;
  signature: string;
}

/** Throws unless the delivery is genuine. `body`: the bytes as they came, before anything parses them. */
export const verify = (body: Buffer, { id, timestamp, signature }: Headers, secret: string): void => {
  const age = Date.now() / 1000 - Number(timestamp);
  if (!(Math.abs(age) <= 300)) throw new Error('too old or too new');
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = Buffer.from(
    `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`,
  );
  const fits = signature.split(' ').some((given) => {
    const bytes = Buffer.from(given);
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
  if (!fits) throw new Error('no signature fits');
};

const { WEBHOOK_ID, WEBHOOK_TIMESTAMP, WEBHOOK_SIGNATURE, SECRET } = process.env as Record<string, string>;
const body = await buffer(process.stdin);
try {
  verify(body, { id: WEBHOOK_ID!, timestamp: WEBHOOK_TIMESTAMP!, signature: WEBHOOK_SIGNATURE! }, SECRET!);
  console.log('verified', JSON.parse(body.toString()).type);
} catch (error) {
  console.log(`refused: ${(error as Error).message}`);
  process.exitCode = 1;
}

// Returns its event; the header `x-mode` selects another behaviour.
let invocations = 0;

const modes = {
  throw: () => {
    throw new Error('asked to throw');
  },
  exit: () => process.exit(3),
  malformed: () => ({ statusCode: 200, body: { not: 'a string' } }),
  text: () => 'just text',
  object: () => ({ plain: true }),
  cookies: () => ({ statusCode: 201, headers: { 'X-One': 1 }, cookies: ['a=1; Path=/', 'b=2'], body: 'ñ' }),
  binary: () => ({
    statusCode: 200,
    headers: { 'content-type': 'image/png' },
    body: Buffer.from([0, 255, 128]).toString('base64'),
    isBase64Encoded: true,
  }),
  none: () => ({ statusCode: 204 }),
  later: () => {
    // Frozen with the environment: this line must not be written before the next event.
    setTimeout(() => process.stdout.write(`{"later":${invocations}}\n`), 500);
    return { statusCode: 200, body: 'now' };
  },
};

export const handler = async (event, context) => {
  invocations += 1;
  const mode = modes[event.headers['x-mode']];
  if (mode) return mode();
  const remainingMs = context.getRemainingTimeInMillis();
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ event, invocations, remainingMs, env: process.env }),
  };
};

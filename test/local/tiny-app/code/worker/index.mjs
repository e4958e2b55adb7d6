// Writes one line per record; the body selects the result: `ok…`, `fail…`, `throw…`, `unknown…`.
const clock = Symbol.for('data-connections.clock');

export const handler = async ({ Records }) => {
  for (const record of Records) {
    const receives = Number(record.attributes.ApproximateReceiveCount);
    const line = { body: record.body, receives, at: globalThis[clock](), batch: Records.length, record };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
  if (Records.some(({ body }) => body.startsWith('throw'))) throw new Error('asked to throw');
  const failed = Records.filter(({ body }) => body.startsWith('fail')).map(({ messageId }) => messageId);
  if (Records.some(({ body }) => body.startsWith('unknown'))) failed.push('not-in-this-batch');
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
};

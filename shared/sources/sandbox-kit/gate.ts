/**
 * A gate in front of a simulated institution. A story test holds requests at the gate, inspects the state, and opens
 * the gate again.
 */
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';

/** The gate holds requests whose address or body contains the text of `hold`. Null opens the gate. */
const Change = z.strictObject({ hold: z.string().nullable() });

export const registerGate = (app: FastifyInstance): void => {
  let hold: string | null = null;
  const held = new Set<() => void>();
  const turn = (hangUp: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const end = () => {
        held.delete(end);
        resolve();
      };
      held.add(end);
      hangUp.addEventListener('abort', end, { once: true });
    });

  app.addHook('preHandler', async (request, reply) => {
    if (request.url.startsWith('/_sandbox/')) return;
    const text = `${request.url} ${JSON.stringify(request.body ?? null)}`;
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    while (hold !== null && text.includes(hold) && !left.signal.aborted) await turn(left.signal);
  });
  app.get('/_sandbox/gate', () => ({ held: held.size }));
  app.post('/_sandbox/gate', (request, reply) => {
    const change = Change.safeParse(request.body);
    if (!change.success) return reply.code(400).send({ error: z.prettifyError(change.error) });
    hold = change.data.hold;
    for (const look of [...held]) look();
    return reply.code(204).send();
  });
};

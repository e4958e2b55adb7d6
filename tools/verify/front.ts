/**
 * Opens one origin on loopback in front of a deployed API. It adds what scripts and stories use of the local stack: the
 * webhook inbox, and the time, which cannot be moved here.
 */
import { createServer } from 'node:http';
import type { VirtualClock } from '#tools/local/clock.ts';
import { NotIdle } from '#tools/local/clock-jumps.ts';
import { createInbox, type Inbox } from '#tools/local/inbox.ts';
import { createLocalApi } from '#tools/local/local-api.ts';
import { type LoopbackServer, listenOnLoopback } from '#tools/local/loopback-server.ts';
import { forward } from './forward.ts';

export interface DeployedFront extends LoopbackServer {
  inbox: Inbox;
}

const refuse = (): never => {
  throw new NotIdle('the time of a deployed stack cannot be moved');
};

/**
 * Opens the origin.
 * @param apiUrl value of the stack's output; its host selects the API in the emulator
 */
export const openFront = async (apiUrl: string, endpoint: string): Promise<DeployedFront> => {
  const { host, pathname } = new URL(apiUrl);
  if (pathname !== '/api') throw new Error(`the API was expected under /api, not ${pathname}`);
  const clock = { nowMs: () => Date.now(), offsetMs: () => 0, advance: refuse } as unknown as VirtualClock;
  const inbox = createInbox(clock);
  const local = createLocalApi({ clock, inbox, jumps: { settle: refuse, jump: refuse, walk: refuse } });

  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path.startsWith('/_local/')) return void local(request, response, path.split('?')[0]!);
    return forward(request, response, endpoint, { host });
  });
  return { inbox, ...(await listenOnLoopback(server)) };
};

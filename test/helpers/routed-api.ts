/** The API over HTTP without a stack: the gateway's routes of all contracts, with handlers in this process. */
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { fullPath } from '#shared/http/contract.ts';
import type { HttpEvent } from '#shared/http/endpoint.ts';
import type { VirtualClock } from '#tools/local/clock.ts';
import type { FunctionPool } from '#tools/local/functions.ts';
import { listenHttpApi } from '#tools/local/http-api.ts';
import { handlerOf } from './handlers.ts';
import { context } from './http.ts';

const UNLIMITED = { rateLimit: 1e6, burstLimit: 1e6 };

const ROUTES = ENDPOINTS.map((contract) => ({
  routeKey: contract.path.startsWith('/') ? `${contract.method} ${fullPath(contract)}` : contract.path,
  functionArn: contract.id,
}));

const functions: Pick<FunctionPool, 'invoke'> = {
  invoke: async (id, event) => {
    const result = await (await handlerOf(id))(event as HttpEvent, context);
    return { requestId: '', durationMs: 0, json: JSON.stringify(result) };
  },
};

const clock: Pick<VirtualClock, 'nowMs'> = { nowMs: () => Date.now() };

export interface RoutedApi {
  /** Without `/api`. */
  url: string;
  close(): Promise<void>;
}

export const listenRouted = async (): Promise<RoutedApi> => {
  const { url, serve, close } = await listenHttpApi(0);
  serve(
    { id: 'test', stage: '$default', routes: ROUTES, throttle: UNLIMITED },
    { clock: clock as VirtualClock, functions: functions as FunctionPool },
  );
  return { url, close };
};

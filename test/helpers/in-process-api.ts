/**
 * The gateway's routes of a running stack with handlers in this process: calling every operation once would otherwise
 * start fifty function environments for one answer each.
 */

import type { HttpEvent } from '#shared/http/endpoint.ts';
import { ServiceBusy } from '#shared/platform/patience.ts';
import type { FunctionPool } from '#tools/local/functions.ts';
import { listenHttpApi } from '#tools/local/http-api.ts';
import type { LocalStack } from '#tools/local/stack.ts';
import { handlerOf } from './handlers.ts';
import { context } from './http.ts';

export interface InProcessApi {
  /** Ends in `/api`. */
  url: string;
  close(): Promise<void>;
}

/**
 * `failing`: the function throws an unexpected error. `hanging`: no function answers in time. `busy`: more requests
 * than the stage allows. `throttled`: the table refuses calls until the function's patience ends.
 */
export type Trouble = 'failing' | 'hanging' | 'busy' | 'throttled';

const TIMEOUT_MS = 20;

/** Every endpoint reads it after the credentials were accepted. */
const withFault = (event: HttpEvent, fault: Error): HttpEvent =>
  Object.defineProperty(event, 'rawQueryString', {
    get: () => {
      throw fault;
    },
  });

const FAULTS: Partial<Record<Trouble, Error>> = {
  failing: new Error('a fault of the service'),
  throttled: new ServiceBusy('the table is too busy'),
};

/** The process must have the settings of the stack's functions, which seeding sets. */
export const listenInProcess = async ({ model, clock }: LocalStack, trouble?: Trouble): Promise<InProcessApi> => {
  const functions: Pick<FunctionPool, 'invoke'> = {
    invoke: async (arn, event) => {
      if (trouble === 'hanging') return new Promise(() => {});
      const { id } = model.functions.find((each) => each.arn === arn)!;
      const fault = trouble && FAULTS[trouble];
      const given = fault ? withFault(event as HttpEvent, fault) : (event as HttpEvent);
      const result = await (await handlerOf(id))(given, context);
      return { requestId: '', durationMs: 0, json: JSON.stringify(result) };
    },
  };
  const api = {
    ...model.api,
    ...(trouble === 'busy' ? { throttle: { rateLimit: 0, burstLimit: 0 } } : {}),
  };
  const http = await listenHttpApi(0);
  const timeoutMs = trouble === 'hanging' ? { timeoutMs: TIMEOUT_MS } : {};
  http.serve(api, { clock, functions: functions as FunctionPool, ...timeoutMs });
  return { url: `${http.url}/api`, close: () => http.close() };
};

/**
 * The gateway's routes of a running stack with handlers in this process: asking every operation once would otherwise
 * start fifty function environments for one answer each.
 */
import type { FunctionPool } from '#infra/local/functions.ts';
import { listenHttpApi } from '#infra/local/http-api.ts';
import type { LocalStack } from '#infra/local/stack.ts';
import type { HttpEvent } from '#shared/http/endpoint.ts';
import { handlerOf } from './handlers.ts';
import { context } from './http.ts';

export interface InProcessApi {
  /** Ends in `/api`. */
  url: string;
  close(): Promise<void>;
}

/** The process must have the settings of the stack's functions: seeding gives them. */
export const listenInProcess = async ({ model, clock }: LocalStack): Promise<InProcessApi> => {
  const functions: Pick<FunctionPool, 'invoke'> = {
    invoke: async (arn, event) => {
      const { id } = model.functions.find((each) => each.arn === arn)!;
      const result = await (await handlerOf(id))(event as HttpEvent, context);
      return { requestId: '', durationMs: 0, json: JSON.stringify(result) };
    },
  };
  const http = await listenHttpApi(0);
  http.serve(model.api, { account: model.account, clock, functions: functions as FunctionPool });
  return { url: `${http.url}/api`, close: () => http.close() };
};

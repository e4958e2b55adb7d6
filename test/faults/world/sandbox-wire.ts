/**
 * A simulated institution behind the sources' HTTP client, without a socket, so that its answers take virtual time.
 * Load it before the adapters, because it replaces the client's connections.
 */
import { registerHooks } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { Dispatcher } from 'undici';
import type { SandboxServer } from '#shared/sources/sandbox-kit/server.ts';

type Handler = Dispatcher.DispatchHandler;

/** The server that answers, and how long each answer takes. */
export const wire: { server: SandboxServer | undefined; answerMs: number } = { server: undefined, answerMs: 0 };

const textOf = (headers: Record<string, unknown>): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value : String(value)]),
  );

/** Replaces undici's `Agent`. */
export class Agent extends Dispatcher {
  override dispatch(options: Dispatcher.DispatchOptions, handler: Handler): boolean {
    void this.answer(options, handler);
    return true;
  }

  private async answer({ method, path, headers, body }: Dispatcher.DispatchOptions, handler: Handler): Promise<void> {
    let abortedBy: Error | null = null;
    const controller = {
      abort: (reason: Error) => {
        abortedBy ??= reason;
      },
      pause: () => {},
      resume: () => {},
      get aborted() {
        return abortedBy !== null;
      },
      get paused() {
        return false;
      },
      get reason() {
        return abortedBy;
      },
    } as never;
    try {
      handler.onRequestStart?.(controller, {});
      await sleep(wire.answerMs);
      if (abortedBy !== null) throw abortedBy;
      const answer = await wire.server!.app.inject({
        method: method as 'GET',
        url: path,
        headers: headers as Record<string, string>,
        ...(body == null ? {} : { payload: body as string }),
      });
      handler.onResponseStart?.(controller, answer.statusCode, textOf(answer.headers) as never, '');
      handler.onResponseData?.(controller, answer.rawPayload);
      handler.onResponseEnd?.(controller, {});
    } catch (error) {
      handler.onResponseError?.(controller, error as Error);
    }
  }

  override async destroy(): Promise<void> {}
  override async close(): Promise<void> {}
}

export { request } from 'undici';

/** Replaces undici only in the sources' client. */
export const useWire = (): void => {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'undici' && context.parentURL?.endsWith('/sources/http/client.ts')
        ? { url: import.meta.url, shortCircuit: true }
        : next(specifier, context),
  });
};

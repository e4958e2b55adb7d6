/** Resolves with the result, or rejects with the signal's reason as soon as the signal is aborted. */
export const unlessAborted = <Result>(signal: AbortSignal, result: Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });

/** Repeats a request to AWS as the SDK's own clients do: when AWS is too busy, fails or does not answer. */
import { isServerError, isThrottlingError, isTransientError, type StandardRetryStrategy } from '@smithy/core/retry';

export interface Heard {
  ok: boolean;
  status: number;
  text: string;
}

/** Type of the errors that the SDK's functions classify. */
type SdkError = Parameters<typeof isThrottlingError>[0];
type ErrorType = 'THROTTLING' | 'TRANSIENT' | 'SERVER_ERROR' | 'CLIENT_ERROR';

const typeOf = (error: SdkError): ErrorType => {
  if (isThrottlingError(error)) return 'THROTTLING';
  // `fetch` rejects with a TypeError when the connection fails, and the SDK's functions do not recognize a TypeError as
  // transient.
  if (isTransientError(error) || error instanceof TypeError) return 'TRANSIENT';
  return isServerError(error) ? 'SERVER_ERROR' : 'CLIENT_ERROR';
};

/**
 * Converts a response to the error that an SDK client would throw. The error's name is the code in the response's XML.
 */
const asError = ({ status, text }: Heard): SdkError => {
  const name = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? 'UnknownError';
  return Object.assign(new Error(name), { $metadata: { httpStatusCode: status } }, { name }) as SdkError;
};

const heardFrom = async (ask: () => Promise<Response>): Promise<Heard | Error> => {
  try {
    const answer = await ask();
    return { ok: answer.ok, status: answer.status, text: await answer.text() };
  } catch (error) {
    return error as Error;
  }
};

/**
 * Resolves with the last response, even if it is a refusal.
 * @throws the error of `ask` if the last attempt got no response
 */
export const askPatiently = async (ask: () => Promise<Response>, retries: StandardRetryStrategy): Promise<Heard> => {
  let token = await retries.acquireInitialRetryToken('');
  for (;;) {
    const heard = await heardFrom(ask);
    if (!(heard instanceof Error) && heard.ok) {
      retries.recordSuccess(token);
      return heard;
    }
    const error = heard instanceof Error ? (heard as SdkError) : asError(heard);
    try {
      token = await retries.refreshRetryTokenForRetry(token, { error, errorType: typeOf(error) });
    } catch {
      if (heard instanceof Error) throw heard;
      return heard;
    }
  }
};

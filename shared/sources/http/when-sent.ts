/**
 * Reports when the first byte of a request leaves this machine: after a failed connection or name resolution, nothing
 * was sent.
 */
import type { Dispatcher } from 'undici';

/**
 * Returns the dispatcher with a hook: the dispatcher calls `onSent` just before it sends the first byte of a request.
 */
export const whenSent = (dispatcher: Dispatcher, onSent: () => void): Dispatcher =>
  dispatcher.compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        onRequestStart: (...given) => {
          onSent();
          handler.onRequestStart?.(...given);
        },
        onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
        onResponseStart: (...given) => handler.onResponseStart?.(...given),
        onResponseData: (...given) => handler.onResponseData?.(...given),
        onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
        onResponseError: (...given) => handler.onResponseError?.(...given),
      }),
  );

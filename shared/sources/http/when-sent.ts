/** Reports when a request leaves this machine: after a failed connection or name resolution, nothing was sent. */
import type { Dispatcher } from 'undici';

/** Returns the dispatcher with a hook: `onSent` is called just before the first byte of a request is sent. */
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

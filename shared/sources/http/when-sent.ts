/** Tells when a request leaves this machine: a connection that fails, or a name that nobody knows, sends nothing. */
import type { Dispatcher } from 'undici';

/** The same dispatcher; `onSent` is called just before the first byte of a request goes out. */
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

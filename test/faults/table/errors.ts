/** Errors under the names that the SDK gives them. */
export const named = (name: string, message: string, more: object = {}): Error =>
  Object.assign(new Error(message), { name, ...more });

export const conditionalCheckFailed = (): Error =>
  named('ConditionalCheckFailedException', 'The conditional request failed');

export const transactionCanceled = (codes: readonly string[]): Error =>
  named('TransactionCanceledException', `Transaction cancelled [${codes.join(', ')}]`, {
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

/** A transaction of which the last item met a busy partition. */
export const busyTransaction = (items: number): Error =>
  transactionCanceled(Array.from({ length: items }, (_, n) => (n === items - 1 ? 'ThrottlingError' : 'None')));

export const transactionConflict = (): Error =>
  named('TransactionConflictException', 'Transaction is ongoing for the item');

export const validation = (message: string): Error => named('ValidationException', message);

/** The SDK's error after its own retries have failed. */
export const unreachable = (): Error => named('TimeoutError', 'connection timed out');

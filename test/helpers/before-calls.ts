import { type DynamoDBDocumentClient as Client, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * Does something before each call to the table whose command contains the text, except before calls of `act` itself.
 * @returns ends this
 */
export const beforeCalls = (text: string, act: () => Promise<unknown>): (() => void) => {
  const { prototype } = DynamoDBDocumentClient;
  const { send } = prototype as { send: Client['send'] };
  let isActing = false;
  prototype.send = async function (this: Client, ...given: unknown[]) {
    if (!isActing && JSON.stringify(given[0]).includes(text)) {
      isActing = true;
      await act();
      isActing = false;
    }
    return (send as (...all: unknown[]) => unknown).apply(this, given);
  } as Client['send'];
  return () => {
    prototype.send = send;
  };
};

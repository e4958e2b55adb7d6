/** A client of AWS whose calls a test answers. */
import { createRequire } from 'node:module';
import { mockClient } from 'aws-sdk-client-mock';

type Sandbox = NonNullable<NonNullable<Parameters<typeof mockClient>[1]>['sandbox']>;

/** The copy of sinon that the mocks use: another copy would not know their matchers. */
const ofMocks = createRequire(createRequire(import.meta.url).resolve('aws-sdk-client-mock'));
const { createSandbox } = ofMocks('sinon') as { createSandbox(): Sandbox };

/**
 * Mocks a class of clients, or one client. The mock has a sandbox of its own, and `restore` also forgets the recorded
 * calls: sinon would hold each of them, with all that its stack refers to, until the process ends.
 */
export const mockAwsClient: typeof mockClient = (client) => {
  const mock = mockClient(client, { sandbox: createSandbox() });
  const restore = mock.restore.bind(mock);
  mock.restore = () => {
    mock.resetHistory();
    restore();
  };
  return mock;
};

/** One table server for the files of a run, which have a table each in it. */
import { SHARED_SERVER, startServer } from './dynamo.ts';

let stop: (() => Promise<void>) | undefined;

export const setup = async (): Promise<void> => {
  const server = await startServer();
  // A project before this one started it.
  if (server.isShared) return;
  process.env[SHARED_SERVER] = server.endpoint;
  stop = server.stop;
  // Of a run that is interrupted, too.
  process.once('exit', () => void server.stop());
};

export const teardown = async (): Promise<void> => {
  if (stop === undefined) return;
  delete process.env[SHARED_SERVER];
  await stop();
};

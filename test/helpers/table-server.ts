/** One table server for all files of a run; each file has its own table. */
import { SHARED_SERVER, startServer } from './dynamo.ts';

let stop: (() => Promise<void>) | undefined;

export const setup = async (): Promise<void> => {
  const server = await startServer();
  // An earlier project has started it.
  if (server.isShared) return;
  process.env[SHARED_SERVER] = server.endpoint;
  stop = server.stop;
  // Also ends the server of an interrupted run.
  process.once('exit', () => void server.stop());
};

export const teardown = async (): Promise<void> => {
  if (stop === undefined) return;
  delete process.env[SHARED_SERVER];
  await stop();
};

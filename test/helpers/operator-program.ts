/** An operator's command as a separate process, with a loopback server as its only AWS service. */
import { execFile } from 'node:child_process';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Told {
  code: number;
  out: string;
  told: string;
}

/** @param endpoint variable of the environment, e.g. `AWS_ENDPOINT_URL_SSM` */
export const runProgram = (
  program: string,
  args: string[],
  [endpoint, server]: [endpoint: string, server: Server],
  more: Record<string, string>,
): Promise<Told> =>
  new Promise((resolve) => {
    const env = {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      [endpoint]: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ...more,
    };
    execFile(process.execPath, [program, ...args], { env }, (error, out, told) =>
      resolve({ code: error === null ? 0 : Number(error.code), out: out.trim(), told }),
    );
  });

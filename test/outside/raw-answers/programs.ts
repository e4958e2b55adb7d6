/** Asks curl, Python and Go for their verdict about each raw answer. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const HERE = import.meta.dirname;
/** An answer that never ends counts as cut or refused. */
const SECONDS_MAX = 2;

export interface Program {
  /** Fails when the program is not on this machine. */
  version(): Promise<string>;
  verdicts(origin: string, count: number): Promise<string[]>;
}

/** curl's exit code when the connection ended before the length was reached. */
const FEWER_BYTES = 18;

/** curl reports a head that it received completely, also when it then fails at the body. */
const curlVerdict = (url: string): Promise<string> =>
  new Promise((resolve) => {
    const silent = ['-q', '-s', '-o', '/dev/null', '-D', '-', '--noproxy', '*', '--http1.1', '-m', String(SECONDS_MAX)];
    const options = ['-w', '\n= %{http_code} %{size_download}', '--data-binary', 'x', url];
    execFile('curl', [...silent, ...options], { encoding: 'latin1', maxBuffer: 2 ** 22 }, (error, stdout) => {
      const end = stdout.lastIndexOf('\n= ');
      const [status, bytes] = stdout.slice(end + 3).split(' ');
      const head = stdout.slice(0, end);
      const isComplete = /\n\r?\n/.test(head.slice(head.lastIndexOf('HTTP/')));
      if (error === null) resolve(`${Number(status)}, ${bytes} bytes`);
      else
        resolve(
          (isComplete || error.code === FEWER_BYTES) && Number(status) >= 200 ? `${Number(status)}, cut` : 'refused',
        );
    });
  });

const lines = (text: string): string[] => text.trimEnd().split('\n');

export const PROGRAMS: Readonly<Record<string, Program>> = {
  curl: {
    version: async () => /^curl ([\d.]+)/.exec((await run('curl', ['--version'])).stdout)![1]!,
    verdicts: async (origin, count) => {
      const verdicts: string[] = [];
      for (let n = 0; n < count; n++) verdicts.push(await curlVerdict(`${origin}/${n}`));
      return verdicts;
    },
  },
  python: {
    version: async () => /[\d.]+/.exec((await run('python3', ['--version'])).stdout)![0]!,
    verdicts: async (origin, count) =>
      lines((await run('python3', [join(HERE, 'ask.py'), origin, String(count)])).stdout),
  },
  go: {
    version: async () => /go([\d.]+)/.exec((await run('go', ['version'])).stdout)![1]!,
    verdicts: async (origin, count) =>
      lines((await run('go', ['run', join(HERE, 'ask.go'), origin, String(count)])).stdout),
  },
};

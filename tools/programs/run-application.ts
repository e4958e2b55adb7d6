/**
 * Runs an application as a program: it prints an address for a person to open, and continues after the person's answer.
 */
import { spawn } from 'node:child_process';
import type { GiveConsent } from '#tools/local/demo/agent-application.ts';

/** The page of the dashboard, with the application's request. */
const PAGE = /https?:\/\/[^\s"']+\/authorize\?[^\s"']+/;
const DEADLINE_MS = 60_000;

export interface ApplicationRun {
  program: string;
  args: readonly string[];
  environment?: Readonly<Record<string, string>>;
  /** `stdin`: it reads the address of the redirect; `listens`: it waits there for the browser itself. */
  hears: 'stdin' | 'listens';
}

/** Returns what it printed, after it ended well. */
export const runApplication = async (
  { program, args, environment = {}, hears }: ApplicationRun,
  consent: GiveConsent,
): Promise<string> => {
  const child = spawn(program, args, { env: { ...process.env, ...environment }, timeout: DEADLINE_MS });
  let printed = '';
  let told = '';
  let isAsked = false;
  let failure: Error | undefined;
  const answerTo = async (page: URL): Promise<void> => {
    const next = await consent(page);
    if (hears === 'stdin') child.stdin.write(`${next.href}\n`);
    else await fetch(next);
  };
  const look = (): void => {
    const [address] = PAGE.exec(printed + told) ?? [];
    if (isAsked || address === undefined) return;
    isAsked = true;
    answerTo(new URL(address)).catch((error: Error) => {
      failure = error;
      child.kill();
    });
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    look();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    told += text;
    look();
  });
  const code = await new Promise<number | null>((done) => child.on('close', done));
  if (failure) throw failure;
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${told}${printed}`);
  if (!isAsked) throw new Error(`${program} asked nobody`);
  return printed;
};

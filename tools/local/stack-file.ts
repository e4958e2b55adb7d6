/** The file through which other processes learn the addresses and keys of the running stack. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { STACK_FILE } from './stack.ts';

const StackFile = z.object({
  /** Pid of the stack's process, to which a script sends SIGTERM to stop the stack. Absent for a deployed stage. */
  pid: z.int().positive().exactOptional(),
  api: z.string(),
  inbox: z.string(),
  organization_id: z.uuid(),
  api_key: z.string(),
  session: z.string(),
  access_token: z.string(),
  sandbox: z.record(
    z.string(),
    z.object({
      base_url: z.string(),
      ledger_url: z.string(),
      credentials: z.record(z.string(), z.unknown()),
      metadata: z.record(z.string(), z.unknown()),
    }),
  ),
});
export type StackFile = z.infer<typeof StackFile>;

/** Returns the parsed content; undefined when the file is missing or unreadable. */
export const readAs = <S extends z.ZodType>(schema: S, path: string): z.infer<S> | undefined => {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
};

/** Returns the addresses and keys; undefined while no stack runs on the folder. */
export const readStackFile = (dataFolder: string): StackFile | undefined =>
  readAs(StackFile, join(dataFolder, STACK_FILE));

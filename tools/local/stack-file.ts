/** The file that tells other processes how to reach the running stack, and with which keys. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { STACK_FILE } from './stack.ts';

const StackFile = z.object({
  /** Of the process that serves: SIGTERM ends the stack. Absent where a deployed stage serves. */
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

/** Undefined where there is no such file, or none that can be read. */
export const readAs = <S extends z.ZodType>(schema: S, path: string): z.infer<S> | undefined => {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
};

/** Undefined while no stack runs on the folder. */
export const readStackFile = (dataFolder: string): StackFile | undefined =>
  readAs(StackFile, join(dataFolder, STACK_FILE));

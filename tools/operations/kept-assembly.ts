/**
 * Stores the cloud assembly (templates and code) of the stage's last deploy from this machine, in
 * `.deployed/<stage>/kept`. The next assembly is built in the folder next to it, and replaces the stored assembly
 * completely or not at all.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudAssembly } from 'aws-cdk-lib/cx-api';
import * as z from 'zod';
import type { AssemblyStack, StoredTemplate } from './way-back.ts';

const Kept = z.object({
  /** Commit of the code in the assembly. */
  commit: z.string(),
  /** False when the code had uncommitted changes. */
  isCommitted: z.boolean(),
  /** Arguments for the CDK, e.g. `-c` and `sweeper=off`. */
  context: z.array(z.string()).default([]),
  deployedAt: z.string(),
  /**
   * Stack → time at which CloudFormation last changed the stack, read after our deploy; null for a stack that does not
   * exist. The whole value is null when CloudFormation was unreachable.
   */
  lastChanges: z.record(z.string(), z.string().nullable()).nullable(),
});
export type Kept = z.infer<typeof Kept>;

const RECORD = 'kept.json';
const ASSEMBLY = 'assembly';

/** Returns the stacks in order of dependency: a stack comes after the stacks that it needs. */
export const stacksIn = (assembly: string): AssemblyStack[] =>
  new CloudAssembly(assembly).stacks.map(({ stackName, template }) => ({
    name: stackName,
    template: template as StoredTemplate,
  }));

export interface AssemblyFolder {
  /** Path of the next assembly, which is not deployed yet. */
  next: string;
  /** Path of the assembly that was deployed last. */
  kept: string;
  /** Returns the record of the stored assembly; undefined when no assembly is stored. */
  readKept(): Kept | undefined;
  /** Stores the times at which CloudFormation last changed the stacks, after this deploy changed them. */
  noteChanges(lastChanges: Kept['lastChanges']): void;
  /** Removes a next assembly that an earlier deploy left. */
  clearNext(): void;
  /** Replaces the stored assembly by the next assembly. */
  keepNext(record: Kept): void;
  /** Removes the stored assembly, because a rollback is no longer possible after the stage was deleted. */
  forget(): void;
}

/** @param folder folder for the assemblies of one stage */
export const openAssemblyFolder = (folder: string): AssemblyFolder => {
  const [next, kept, former] = ['next', 'kept', 'former'].map((name) => join(folder, name)) as [string, string, string];
  const write = (place: string, record: Kept) => writeFileSync(join(place, RECORD), JSON.stringify(record, null, 2));
  // If a process ended between the two renames of `keepNext`, the stored assembly still has the name `former`.
  if (!existsSync(kept) && existsSync(former)) renameSync(former, kept);
  const readKept = (): Kept | undefined =>
    existsSync(join(kept, RECORD)) ? Kept.parse(JSON.parse(readFileSync(join(kept, RECORD), 'utf8'))) : undefined;

  return {
    next: join(next, ASSEMBLY),
    kept: join(kept, ASSEMBLY),
    readKept,
    noteChanges(lastChanges) {
      const record = readKept();
      if (record !== undefined) write(kept, { ...record, lastChanges });
    },
    clearNext: () => rmSync(next, { recursive: true, force: true }),
    keepNext(record) {
      write(next, record);
      rmSync(former, { recursive: true, force: true });
      if (existsSync(kept)) renameSync(kept, former);
      renameSync(next, kept);
      rmSync(former, { recursive: true, force: true });
    },
    forget: () => rmSync(folder, { recursive: true, force: true }),
  };
};

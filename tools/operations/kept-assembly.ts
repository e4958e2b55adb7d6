/**
 * Stores the cloud assembly of a stage's last deploy from this machine: `.deployed/<stage>/kept`, with templates and
 * code. The next assembly is built next to it, and replaces it completely or not at all.
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
  /** Options of the CDK app, e.g. `-c sweeper=off`. */
  context: z.array(z.string()).default([]),
  deployedAt: z.string(),
  /**
   * Stack → time at which CloudFormation last changed it, after our deploy; null when CloudFormation was unreachable.
   */
  lastChanges: z.record(z.string(), z.string().nullable()).nullable(),
});
export type Kept = z.infer<typeof Kept>;

const RECORD = 'kept.json';
const ASSEMBLY = 'assembly';

/** Stacks in order of dependency: a stack comes after the stacks that it needs. */
export const stacksIn = (assembly: string): AssemblyStack[] =>
  new CloudAssembly(assembly).stacks.map(({ stackName, template }) => ({
    name: stackName,
    template: template as StoredTemplate,
  }));

export interface AssemblyFolder {
  /** Path of the assembly that is being built. */
  next: string;
  /** Path of the assembly that was deployed last. */
  kept: string;
  /** Returns the record of the stored assembly; undefined when no assembly is stored. */
  readKept(): Kept | undefined;
  /** Stores CloudFormation's current times of the stacks, after changes that this deploy made. */
  noteChanges(lastChanges: Kept['lastChanges']): void;
  /** Removes the next assembly of an earlier deploy. */
  clearNext(): void;
  /** Makes the next assembly the stored assembly. */
  keepNext(record: Kept): void;
  /** Removes the stored assembly after the stage was deleted, because a rollback is no longer possible. */
  forget(): void;
}

/** @param folder folder of the stage's assemblies */
export const openAssemblyFolder = (folder: string): AssemblyFolder => {
  const [next, kept, former] = ['next', 'kept', 'former'].map((name) => join(folder, name)) as [string, string, string];
  const write = (place: string, record: Kept) => writeFileSync(join(place, RECORD), JSON.stringify(record, null, 2));
  // A process that ended between the two renames of `keepNext` left the stored assembly under this name.
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

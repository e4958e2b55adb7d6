/**
 * The cloud assembly that a stage was last deployed with from this machine: `.deployed/<stage>/kept`, templates and code. It is
 * taken whole or not at all, and the next one is made beside it.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudAssembly } from 'aws-cdk-lib/cx-api';
import * as z from 'zod';
import type { AssemblyStack, StoredTemplate } from './way-back.ts';

const Kept = z.object({
  /** Of the code it was made of. */
  commit: z.string(),
  /** Was that all of it? Else there were changes that nobody had committed. */
  isCommitted: z.boolean(),
  /** As the CDK's app took it, e.g. `-c sweeper=off`. */
  context: z.array(z.string()).default([]),
  deployedAt: z.string(),
  /** Stack → when CloudFormation changed it last, as we left it; null where that could not be asked. */
  lastChanges: z.record(z.string(), z.string().nullable()).nullable(),
});
export type Kept = z.infer<typeof Kept>;

const RECORD = 'kept.json';
const ASSEMBLY = 'assembly';

/** Those on which others depend come first. */
export const stacksIn = (assembly: string): AssemblyStack[] =>
  new CloudAssembly(assembly).stacks.map(({ stackName, template }) => ({
    name: stackName,
    template: template as StoredTemplate,
  }));

export interface AssemblyFolder {
  /** Path of the assembly that is being made. */
  next: string;
  /** Path of the one that was deployed last. */
  kept: string;
  /** Undefined where there is none. */
  readKept(): Kept | undefined;
  /** What CloudFormation says of the kept one's stacks now: whatever changed them, it was us. */
  noteChanges(lastChanges: Kept['lastChanges']): void;
  /** Nothing is left of one that was made before. */
  clearNext(): void;
  /** The next one becomes the kept one. */
  keepNext(record: Kept): void;
  /** The stage is gone: there is nothing to go back to. */
  forget(): void;
}

/** @param folder of the stage */
export const openAssemblyFolder = (folder: string): AssemblyFolder => {
  const [next, kept, former] = ['next', 'kept', 'former'].map((name) => join(folder, name)) as [string, string, string];
  const write = (place: string, record: Kept) => writeFileSync(join(place, RECORD), JSON.stringify(record, null, 2));
  // A process that died between the two renames of `keepNext` left it under this name.
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

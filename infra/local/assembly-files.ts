/** Reads a cloud assembly from its folder: the templates of its stacks, and where the code of each asset lies. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { Template, TemplateRefused } from './template.ts';

const Manifest = z.object({
  artifacts: z
    .record(z.string(), z.object({ type: z.string(), properties: z.record(z.string(), z.unknown()).default({}) }))
    .default({}),
});

const Assets = z.object({
  files: z
    .record(
      z.string(),
      z.object({
        source: z.object({ path: z.string().optional(), packaging: z.string().optional() }).loose(),
        destinations: z.record(z.string(), z.object({ objectKey: z.string() }).loose()),
      }),
    )
    .default({}),
});

export interface StackFiles {
  name: string;
  template: Template;
}

export interface AssemblyFiles {
  stacks: StackFiles[];
  /** Object key in the asset bucket → folder. */
  codeFolders: ReadonlyMap<string, string>;
}

const json = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new TemplateRefused(`the cloud assembly cannot be read at ${path}: ${(cause as Error).message}`);
  }
};

/** Throws `TemplateRefused` when the folder holds no readable assembly. Stages (nested assemblies) are followed. */
export const readAssemblyFiles = (folder: string): AssemblyFiles => {
  const stacks: StackFiles[] = [];
  const codeFolders = new Map<string, string>();
  const { artifacts } = Manifest.parse(json(join(folder, 'manifest.json')));
  for (const [id, { type, properties }] of Object.entries(artifacts)) {
    if (type === 'aws:cloudformation:stack') {
      const template = Template.parse(json(join(folder, String(properties.templateFile))));
      stacks.push({ name: String(properties.stackName ?? id), template });
    } else if (type === 'cdk:asset-manifest') {
      for (const { source, destinations } of Object.values(
        Assets.parse(json(join(folder, String(properties.file)))).files,
      )) {
        if (source.packaging !== 'zip' || source.path === undefined) continue;
        for (const { objectKey } of Object.values(destinations))
          codeFolders.set(objectKey, resolve(folder, source.path));
      }
    } else if (type === 'cdk:cloud-assembly') {
      const nested = readAssemblyFiles(join(folder, String(properties.directoryName)));
      stacks.push(...nested.stacks);
      for (const [key, path] of nested.codeFolders) codeFolders.set(key, path);
    }
  }
  return { stacks, codeFolders };
};

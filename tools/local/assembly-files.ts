/** Reads a cloud assembly from its folder: the templates of its stacks, and the folder with the code of each asset. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { parseKnown, Template, TemplateRefused } from './template.ts';

const Artifact = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('aws:cloudformation:stack'),
    properties: z.object({ templateFile: z.string() }),
  }),
  z.object({ type: z.literal('cdk:asset-manifest'), properties: z.object({ file: z.string() }) }),
  z.object({ type: z.literal('cdk:feature-flag-report') }),
]);

const Manifest = z.object({ artifacts: z.record(z.string(), Artifact) });

const Assets = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.object({ path: z.string(), packaging: z.enum(['zip', 'file']) }),
      destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
    }),
  ),
});

export interface StackFiles {
  name: string;
  template: Template;
}

export interface AssemblyFiles {
  stacks: StackFiles[];
  /** Key of a function's code in the asset bucket → folder with the code. */
  codeFolders: ReadonlyMap<string, string>;
}

const readJson = <S extends z.ZodType>(schema: S, path: string): z.infer<S> => {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new TemplateRefused(`the cloud assembly cannot be read at ${path}: ${(cause as Error).message}`);
  }
  return parseKnown(schema, value, path);
};

const readCodeFolders = (folder: string, file: string): [objectKey: string, path: string][] =>
  Object.values(readJson(Assets, join(folder, file)).files)
    .filter(({ source }) => source.packaging === 'zip')
    .flatMap(({ source, destinations }) =>
      Object.values(destinations).map(({ objectKey }): [string, string] => [objectKey, resolve(folder, source.path)]),
    );

/**
 * Throws `TemplateRefused` when the folder has no readable assembly, or contains anything except stacks and their
 * assets.
 */
export const readAssemblyFiles = (folder: string): AssemblyFiles => {
  const artifacts = Object.entries(readJson(Manifest, join(folder, 'manifest.json')).artifacts);
  return {
    stacks: artifacts.flatMap(([name, artifact]) =>
      artifact.type === 'aws:cloudformation:stack'
        ? [{ name, template: readJson(Template, join(folder, artifact.properties.templateFile)) }]
        : [],
    ),
    codeFolders: new Map(
      artifacts.flatMap(([, artifact]) =>
        artifact.type === 'cdk:asset-manifest' ? readCodeFolders(folder, artifact.properties.file) : [],
      ),
    ),
  };
};

/** Descriptions that `npm run gen` derives from a source's schemas (shared/http/openapi/describe-sources.ts). */
import type { SourceManifest } from '#shared/sources/source.ts';
import described from './described-sources.gen.json' with { type: 'json' };

/** JSON Schema, draft 2020-12. */
export type JsonSchema = Record<string, unknown>;

export interface DescribedScope {
  name: string;
  label: string;
  /** Last part of the path of the scope's list. Null if the scope's data is not read by connection. */
  resource: string | null;
  /** Path of the scope's list if the list is not below a connection. */
  listPath: string | null;
  filters: JsonSchema | null;
  sync_metadata: JsonSchema;
}

export interface DescribedSource {
  credentials: JsonSchema;
  metadata: JsonSchema;
  /** Scopes in the order of the manifest. */
  scopes: readonly DescribedScope[];
}

const DESCRIBED: Readonly<Record<string, DescribedSource>> = described;

/** @throws Error for a source without a generated description; run `npm run gen` */
export const describedSource = ({ code }: Pick<SourceManifest, 'code'>): DescribedSource => {
  const source = DESCRIBED[code];
  if (source === undefined) throw new Error(`source ${code} is not described: run \`npm run gen\``);
  return source;
};

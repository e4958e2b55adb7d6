/** What `npm run gen` made of a source's schemas (shared/http/openapi/describe-sources.ts). */
import type { SourceManifest } from '#shared/sources/source.ts';
import described from './described-sources.gen.json' with { type: 'json' };

/** JSON Schema, draft 2020-12. */
export type JsonSchema = Record<string, unknown>;

export interface DescribedScope {
  name: string;
  label: string;
  /** Last part of the address of its list; null where the data are not read by connection. */
  resource: string | null;
  /** Path of its list where that is below no connection. */
  listPath: string | null;
  filters: JsonSchema | null;
  sync_metadata: JsonSchema;
}

export interface DescribedSource {
  credentials: JsonSchema;
  metadata: JsonSchema;
  /** In the order of the manifest. */
  scopes: readonly DescribedScope[];
}

const DESCRIBED: Readonly<Record<string, DescribedSource>> = described;

/** @throws Error for a source that `npm run gen` has not seen. */
export const describedSource = ({ code }: Pick<SourceManifest, 'code'>): DescribedSource => {
  const source = DESCRIBED[code];
  if (source === undefined) throw new Error(`source ${code} is not described: run \`npm run gen\``);
  return source;
};

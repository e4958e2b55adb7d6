/**
 * Validates a connection against the rules of its source (decisions.md §3). Messages name field and rule but never a
 * value, because a value may be a password in the wrong field.
 */
import { invalidBody } from '#shared/http/response/errors.ts';
import type { SourceManifest } from '#shared/sources/source.ts';
import { normalizeRut } from '#shared/values/rut.ts';
import { dropAbsentNulls } from './absent-nulls.ts';
import { judge } from './issues.ts';

/**
 * Returns the source that a body names.
 *
 * @param codes of the sources that can be connected
 * @throws ApiError 422
 */
export const requireActive = (manifest: SourceManifest | undefined, codes: readonly string[]): SourceManifest => {
  if (!manifest?.isActive) throw invalidBody(`external_source_code must be one of ${codes.join(', ')}`);
  return manifest;
};

export interface ConnectionInput {
  enabled_scopes?: string[] | undefined;
  credentials?: Record<string, unknown> | undefined;
  metadata?: Record<string, unknown> | undefined;
}

export type JudgedInput<I extends ConnectionInput> = {
  enabledScopes: I['enabled_scopes'];
  credentials: I['credentials'];
  metadata: I['metadata'];
};

const scopeFindings = (manifest: SourceManifest, scopes: readonly string[]): string[] => {
  const unsupported = scopes.flatMap((scope, at) =>
    manifest.scopes.includes(scope) ? [] : [`enabled_scopes[${at}] must be one of ${manifest.scopes.join(', ')}`],
  );
  return new Set(scopes).size === scopes.length
    ? unsupported
    : [...unsupported, 'enabled_scopes must not name a scope twice'];
};

/** True if both name a company and the companies differ. At a change the stored other one is not compared. */
const isOtherCompany = (
  credentials: Record<string, unknown> | undefined,
  metadata: Record<string, unknown> | undefined,
): boolean => {
  const [named, given] = [credentials?.company_rut, metadata?.company_rut];
  return typeof named === 'string' && typeof given === 'string' && normalizeRut(named) !== normalizeRut(given);
};

const FINDINGS_MAX = 5;

/**
 * Returns the parts that were sent, parsed by the source's schemas.
 *
 * @throws ApiError 422 with every violation
 */
export const judgeConnectionInput = <I extends ConnectionInput>(manifest: SourceManifest, input: I): JudgedInput<I> => {
  const findings: string[] = scopeFindings(manifest, input.enabled_scopes ?? []);
  const read = (part: 'credentials' | 'metadata', schema: SourceManifest['credentialsSchema']) => {
    const sent = input[part];
    if (sent === undefined) return undefined;
    const judged = judge(schema, dropAbsentNulls(schema, sent), { at: [part] });
    if (judged.finding !== undefined) findings.push(judged.finding);
    return judged.data;
  };
  const credentials = read('credentials', manifest.credentialsSchema);
  const metadata = read('metadata', manifest.metadataSchema);
  if (isOtherCompany(credentials, metadata))
    findings.push('metadata.company_rut must be the company_rut of the credentials');
  if (findings.length > 0) throw invalidBody(findings.slice(0, FINDINGS_MAX).join('; '));
  return { enabledScopes: input.enabled_scopes, credentials, metadata };
};

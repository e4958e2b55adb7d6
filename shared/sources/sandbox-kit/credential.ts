/**
 * A row of a sandbox's table of credentials and their outcomes. docs/sandbox-credentials.md shows the tables, and a
 * test runs a sync of every row. The first row of a table has no faults.
 */
import type { SourceErrorCode } from '#shared/values/sync-errors.ts';
import type { JsonObject } from '../source.ts';

export interface SandboxCredential<Behaviour extends string = string> {
  /** Purpose of the row, in a few words. */
  label: string;
  /**
   * Credentials for `POST /connections`. The first value is the login, which identifies the row at the sandbox's
   * control endpoints.
   */
  credentials: Record<string, string>;
  metadata: JsonObject;
  behaviour: Behaviour;
  /**
   * Error code of each scope after a sync of all scopes through the engine, including retries. `*` means every scope
   * that is not listed. A scope that is neither listed nor covered by `*` ends `ok`.
   */
  outcomes: Readonly<Record<string, SourceErrorCode>>;
  /** Notice codes by scope, if there are any. */
  notices?: Readonly<Record<string, readonly string[]>>;
  /**
   * Figures by scope that differ from the institution's totals in at least one month. All figures that are not listed
   * are equal.
   */
  differs?: Readonly<Record<string, readonly string[]>>;
}

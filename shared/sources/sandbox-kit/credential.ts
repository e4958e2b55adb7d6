/**
 * A row of a sandbox's table: which credential brings which outcome. docs/sandbox-credentials.md shows the tables, a
 * test runs a sync of every row. The first row of a table simply works.
 */
import type { SourceErrorCode } from '#shared/values/sync-errors.ts';
import type { JsonObject } from '../source.ts';

export interface SandboxCredential<Behaviour extends string = string> {
  /** What it shows, in a few words. */
  label: string;
  /** As given to `POST /connections`. The first value is the login, by which the sandbox's own doors are asked. */
  credentials: Record<string, string>;
  metadata: JsonObject;
  behaviour: Behaviour;
  /**
   * How the scopes end when all are synchronized through the engine, retries included. `*`: all that are not named.
   * A scope that is neither named nor meant by `*` ends `ok`.
   */
  outcomes: Readonly<Record<string, SourceErrorCode>>;
  /** Codes of the notices by scope, when there are any. */
  notices?: Readonly<Record<string, readonly string[]>>;
  /** Figures by scope that differ from the institution's own totals in some month; the others are equal everywhere. */
  differs?: Readonly<Record<string, readonly string[]>>;
}

/** The parts of a history. */
import type { Connection } from '#shared/connections/connection.rules.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import type { Random } from '#test/helpers/random.ts';
import type { AuditWatch } from '../audit-watch.ts';
import type { Services } from '../machine/services.ts';
import type { AskedWatch } from './asked.ts';
import type { Feed } from './change-reader.ts';
import type { Institution } from './institution.ts';
import type { Ledger } from './ledger.ts';
import type { Made } from './made.ts';
import type { Receivers } from './receivers.ts';
import type { Theme } from './theme.ts';
import type { Watch } from './watch.ts';
export interface World extends Services {
  theme: Theme | undefined;
  random: Random;
  organizationId: string;
  connection: Connection;
  /** The company's second connection with the same login, in some of the histories. */
  second: Connection | undefined;
  scopes: readonly ScopeDefinition[];
  institution: Institution;
  ledger: Ledger;
  receivers: Receivers;
  endpoints: string[];
  /** Events that were sent in addition to those of runs. */
  burstEvents: number;
  /** Runs whose creation succeeded. */
  started: string[];
  /** Run → rows that it had removed when its cancel was first called, by `scope|period`. */
  removedByCancel: Map<string, ReadonlyMap<string, number>>;
  finalRun: string | undefined;
  isDeleted: boolean;
  hasWrongPassword: boolean;
  logs: string[];
  watch: Watch;
  /** Months that were called complete and do not add up. */
  walks: readonly string[];
  asked: AskedWatch;
  feed: Feed;
  /** Events and changes of the audit trail. */
  audit: AuditWatch;
  made: Made;
  beganMs: number;
  /** Time of the ledger's last change. */
  changedMs: number;
}

export type Violation = string;
/** @param all runs of every connection, newest first */
export type Check = (world: World, all: SyncRun[]) => Promise<Violation[]> | Violation[];

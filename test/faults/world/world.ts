/** All that a history is made of. */
import type { Connection } from '#shared/connections/connection.rules.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { Random } from '#test/helpers/random.ts';
import type { Services } from '../machine/services.ts';
import type { Institution } from './institution.ts';
import type { Ledger } from './ledger.ts';
import type { Receivers } from './receivers.ts';
import type { Theme } from './themes.ts';
import type { Watch } from './watch.ts';
export interface World extends Services {
  theme: Theme | undefined;
  random: Random;
  organizationId: string;
  connection: Connection;
  /** The company's second connection with the same login, in a share of the histories. */
  second: Connection | undefined;
  scopes: readonly ScopeDefinition[];
  institution: Institution;
  ledger: Ledger;
  receivers: Receivers;
  endpoints: string[];
  /** Runs whose creation was seen to succeed. */
  started: string[];
  finalRun: string | undefined;
  isDeleted: boolean;
  hasWrongPassword: boolean;
  logs: string[];
  watch: Watch;
  /** When the ledger changed last. */
  changedMs: number;
}

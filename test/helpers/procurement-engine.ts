/** The engine, the real adapter and the simulated portal in one process; the endpoints read what was stored. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { sourceBaseUrlVariable, sourcePaceVariable } from '#shared/platform/needs.ts';
import { procurementDocumentos } from '#shared/scopes/procurement-documentos.ts';
import { procurementLicitaciones } from '#shared/scopes/procurement-licitaciones.ts';
import { procurementOfertas } from '#shared/scopes/procurement-ofertas.ts';
import { procurementPreguntas } from '#shared/scopes/procurement-preguntas.ts';
import { createProcurementSandbox, type ProcurementSandbox } from '#shared/sources/procurement/sandbox/server.ts';
import { source } from '#shared/sources/procurement/source.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { isTerminal, type SyncRun } from '#shared/sync/run.rules.ts';
import { startRun } from '#shared/sync/start-run.ts';
import { callersOf } from './callers.ts';
import { type EngineWorld, startEngine } from './engine.ts';
import type { Name } from './procurement.ts';
import { ficha, list, tenders } from './procurement.ts';
import { useSharedSecretIssuer } from './sessions.ts';

export interface Portal {
  world: EngineWorld;
  sandbox: ProcurementSandbox;
  url: string;
  /** All scopes by default. */
  start(connection: Connection, inputMetadata: Record<string, unknown>, scopes?: string[]): Promise<SyncRun>;
  find(connection: Connection, run: SyncRun): Promise<SyncRun>;
  /** Sweeps and drains each minute until the run is over. */
  waitOut(connection: Connection, run: SyncRun): Promise<SyncRun>;
  /** A whole run, retries included. */
  sync(connection: Connection, inputMetadata: Record<string, unknown>, scopes?: string[]): Promise<SyncRun>;
  /** All rows of a list, page by page, as an API key reads them. */
  rows(name: Name, codigo: string): Promise<Record<string, unknown>[]>;
  ficha(codigo: string): ReturnType<typeof ficha>;
  /** A page of the list of tenders. */
  tenders(query: string): ReturnType<typeof tenders>;
  stop(): Promise<void>;
}

export const PROCUREMENT_SCOPES = [
  procurementLicitaciones,
  procurementDocumentos,
  procurementPreguntas,
  procurementOfertas,
] as const;

const MINUTES_MAX = 60;

export const startPortal = async (): Promise<Portal> => {
  const [first, ...others] = PROCUREMENT_SCOPES;
  const world = await startEngine(source, first, others);
  const sandbox = createProcurementSandbox({ now: nowMs });
  const url = await sandbox.listen(0);
  process.env[sourceBaseUrlVariable('procurement')] = url;
  process.env[sourcePaceVariable('procurement')] = '0,0,0';
  useSharedSecretIssuer();
  const { key } = await callersOf(world.organizationId);

  const find = async (connection: Connection, { id }: SyncRun): Promise<SyncRun> => {
    const run = await runs.find(world.organizationId, connection.id, id);
    if (!run) throw new Error('no run');
    return run;
  };
  const start = (connection: Connection, inputMetadata: Record<string, unknown>, scopes = connection.enabledScopes) =>
    startRun(connection, { runId: randomUUID(), scopes, inputMetadata, trigger: 'manual' });

  return {
    world,
    sandbox,
    url,
    start,
    find,
    waitOut: async (connection, run) => {
      for (let minute = 0; minute < MINUTES_MAX; minute++) {
        await world.drain();
        const now = await find(connection, run);
        if (isTerminal(now)) return now;
        world.advance(60_000);
        await world.sweep();
      }
      throw new Error('the run does not end');
    },
    sync: async (connection, inputMetadata, scopes) => {
      const run = await start(connection, inputMetadata, scopes);
      await world.drain({ jump: true });
      return find(connection, run);
    },
    rows: async (name, codigo) => {
      const all: Record<string, unknown>[] = [];
      for (;;) {
        const answer = await list(name, codigo, `limit=200&offset=${all.length}`, key);
        expect(answer.status).toBe(200);
        all.push(...answer.body.data);
        if (!answer.body.pagination.has_more) return all;
      }
    },
    ficha: (codigo) => ficha(codigo, key),
    tenders: (query) => tenders(query, key),
    stop: async () => {
      delete process.env[sourceBaseUrlVariable('procurement')];
      delete process.env[sourcePaceVariable('procurement')];
      await sandbox.close();
      await world.stop();
    },
  };
};

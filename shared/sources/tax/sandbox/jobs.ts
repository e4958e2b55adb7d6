/** Jobs for asynchronous files (tax.md §4.4). Only the clock decides the state of a job. */
import { formatWall, slashed } from '../../sandbox-kit/calendar.ts';
import { keepNewest, type Memory } from '../../sandbox-kit/memory.ts';
import type { WireOperation } from '../wire.ts';
import type { Estado } from './document.ts';

export interface FileJob {
  id: number;
  company: string;
  /** AAAAMM */
  period: string;
  type: number;
  operation: WireOperation;
  estado: Estado;
  createdMs: number;
  /** True for a job from long ago, whose file is outdated; an adapter must not use it. */
  isOld: boolean;
}

export interface Jobs {
  create(job: Omit<FileJob, 'id' | 'createdMs' | 'isOld'>): FileJob;
  list(company: string, period: string, operation: WireOperation): FileJob[];
  find(id: number): FileJob | undefined;
}

const OLD_MS = 20 * 86_400_000;

const FIRST_ID = 4_400_000;
/** Number of files that are stored. The real institution also deletes old files. */
const KEPT_MAX = 500;

export const createJobs = (now: () => number, memory: Memory): Jobs => {
  const jobs = memory.map<FileJob>('jobs');
  const add = (job: Omit<FileJob, 'id'>): FileJob => {
    const added = { ...job, id: FIRST_ID + memory.next('jobs') };
    keepNewest(jobs, String(added.id), added, KEPT_MAX);
    return added;
  };
  const list = (company: string, period: string, operation: WireOperation) =>
    [...jobs.values()].filter((job) => job.company === company && job.period === period && job.operation === operation);
  return {
    create: (job) => add({ ...job, createdMs: now(), isOld: false }),
    list: (company, period, operation) => {
      if (list(company, period, operation).length === 0) {
        const old = { company, period, operation, estado: 'REGISTRO', createdMs: now() - OLD_MS, isOld: true } as const;
        add({ ...old, type: 33 });
        add({ ...old, type: 0 });
      }
      return list(company, period, operation);
    },
    find: (id) => jobs.get(String(id)),
  };
};

const wall = (ms: number): string => {
  const [day = '', time] = formatWall(Math.round(ms)).split(' ');
  return `${slashed(day)} ${time}`;
};

export const isReady = (job: FileJob, nowMs: number, delayMs: number): boolean =>
  job.isOld || nowMs - job.createdMs >= delayMs;

export const nameBlob = (job: FileJob): string => `BLOB${job.id}`;

export const jobRow = (job: FileJob, nowMs: number, delayMs: number, documents: number) => {
  const ready = isReady(job, nowMs, delayMs);
  const started = ready || nowMs - job.createdMs >= delayMs / 3;
  return {
    caId: job.id,
    caIdBLOB: ready ? nameBlob(job) : 'SIN-BLOB',
    caPeriodo: Number(job.period),
    caTipoDoc: job.type,
    caProceso: `RCV_${job.operation[0]}_DETALLE`,
    compraOVenta: job.operation[0],
    caEstado: ready ? 'TERMINADO' : started ? 'EN PROCESO' : 'CREADO',
    caNumLineas: ready ? documents : 0,
    caFileSize: ready ? documents * 40 : 0,
    caTmstCreado: wall(job.createdMs),
    caTmstEnProceso: started ? wall(job.createdMs + delayMs / 3) : null,
    caTmstTerminado: ready ? wall(job.createdMs + delayMs) : null,
    caDescError: null,
  };
};

/**
 * Fetches the asynchronous file of one document type (tax.md §4.4). If a direct detail has too many rows, it returns
 * zero rows without an error, so every large month comes from a file.
 */
import { splitRut } from '#shared/values/rut.ts';
import type { HttpResponse } from '../http/client.ts';
import { isObject } from '../parsing/bodies.ts';
import { unexpected } from '../parsing/results.ts';
import { type JsonObject, SourceError, type SourceIo } from '../source.ts';
import type { RegisterClient } from './client.ts';
import { formatMonth, rutFields } from './rcv-request.ts';
import { dataRows } from './rcv-summary.ts';
import { RECAPTCHA_ACTION, RECAPTCHA_TOKEN, type WireOperation } from './wire.ts';

/**
 * The file of an ordinary month is ready in about 5 s, the file of a large month may take minutes. Known clients poll
 * every 4 to 8 s (§4.4).
 */
const POLL_MS = 5_000;
/** At a sandbox, which needs no pace, a job may be ready at once, so the first polls come sooner. */
const POLL_FIRST_MS = 250;
const POLLS_MAX = 120;
const METHOD = 'getCtrlAsync';

export interface FileRequest {
  company: string;
  /** RUT of the person who is logged in. The address of the file contains it. */
  user: string;
  period: string;
  operation: WireOperation;
  estado: string;
  type: string;
}

interface DownloadJob {
  id: string;
  blob: string;
  isDone: boolean;
  error: string | null;
}

export const fetchFile = async (
  request: FileRequest,
  client: RegisterClient,
  io: Pick<SourceIo, 'wait' | 'settings'>,
): Promise<HttpResponse> => {
  // The list also contains older jobs of the period, and a job does not show its state. Only a job that was not in the
  // list before our request can be our job (§4.4, F). A job that a dead worker created is ignored.
  const before = new Set((await listJobs(request, client)).map(({ id }) => id));
  let jobs = await listJobs(request, client, { create: true });
  for (let poll = 0; ; poll++) {
    const ours = jobs.filter((job) => !before.has(job.id));
    const done = ours.find((job) => job.isDone);
    if (done) return client.download(pathOf(request, done));
    if (ours.length > 0 && ours.every((job) => job.error !== null))
      throw unexpected(METHOD, `the file of type ${request.type} failed`);
    if (poll === POLLS_MAX)
      throw new SourceError('source.timeout', `${METHOD}: the file of type ${request.type} was not ready in time`);
    const soonest = Math.max(POLL_FIRST_MS * 2 ** poll, 2 * io.settings.pace.callDelayMs);
    await io.wait(Math.min(POLL_MS, soonest));
    jobs = await listJobs(request, client);
  }
};

const pathOf = ({ user, company }: FileRequest, job: DownloadJob): string =>
  ['obtenerArchivoBLOB', job.blob, splitRut(user).body, splitRut(company).body, job.id]
    .map(encodeURIComponent)
    .join('/');

const listJobs = async (
  request: FileRequest,
  client: RegisterClient,
  { create = false }: { create?: boolean } = {},
): Promise<DownloadJob[]> => {
  const { verdict } = await client.call(METHOD, {
    ...rutFields(request.company, 'rutEmisor', 'dvEmisor'),
    ptributario: formatMonth(request.period),
    codTipoDoc: request.type,
    generaCtrl: create,
    operacion: request.operation,
    // Only one client was seen polling, and it leaves the state empty in a poll (§4.4, F).
    estadoContab: create ? request.estado : '',
    totDoc: 0,
    accionRecaptcha: RECAPTCHA_ACTION[request.operation].file,
    tokenRecaptcha: RECAPTCHA_TOKEN,
  });
  return dataRows(verdict.answer, METHOD)
    .filter(isObject)
    .filter((job) => isFor(job, request))
    .map(toJob);
};

const given = (value: unknown): string | null => {
  const text = String(value ?? '').trim();
  return text === '' || text === 'null' ? null : text;
};

/**
 * True if the job is for this request. A field that the job lacks is not compared, because only one client saw four of
 * these fields (§4.4).
 */
const isFor = (job: JsonObject, request: FileRequest): boolean => {
  const side = given(job.compraOVenta) ?? /_([CV])_/.exec(given(job.caProceso) ?? '')?.[1] ?? null;
  const period = given(job.caPeriodo)?.replace('-', '') ?? null;
  const type = given(job.caTipoDoc);
  return (
    given(job.caId) !== null &&
    (side === null || side.toUpperCase() === request.operation[0]) &&
    (period === null || period === formatMonth(request.period)) &&
    (type === null || type === request.type)
  );
};

const toJob = (job: JsonObject): DownloadJob => {
  const blob = given(job.caIdBLOB ?? job.caIdBlob);
  const hasBlob = blob !== null && blob.toUpperCase() !== 'SIN-BLOB';
  const isDone = hasBlob && /terminado/i.test(given(job.caEstado) ?? '');
  return { id: given(job.caId)!, blob: blob ?? '', isDone, error: isDone ? null : given(job.caDescError) };
};

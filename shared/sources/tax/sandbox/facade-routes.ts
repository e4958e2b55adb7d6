/** Data calls and file downloads, and the faults that credentials choose for them. */
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { splitRut } from '#shared/domain/rut.ts';
import { answer, EXPIRED_PAGE, loosened, withUnknownFields } from './answers.ts';
import { dataFault } from './behaviour.ts';
import type { SandboxCredential } from './credentials.ts';
import { csvLines } from './csv.ts';
import { type Accepted, acceptCall } from './facade-checks.ts';
import { jobDocs, type Result, runMethod } from './facade-methods.ts';
import { blobOf, isReady, type Job } from './jobs.ts';
import { LOGIN_PAGE } from './login-pages.ts';
import { tokenOf } from './login-routes.ts';
import { countUp, type State } from './state.ts';

const FACADE = '/consdcvinternetui/services/data/facadeService';
const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json;charset=UTF-8';
const SLOW_MS = 70_000;

export const registerFacadeRoutes = (app: FastifyInstance, state: State): void => {
  app.get(`${FACADE}/obtenerArchivoBLOB/:blob/:user/:company/:job`, (request, reply) =>
    sendFile(request, reply, state),
  );
  app.all(`${FACADE}/:method`, async (request, reply) => {
    const { method } = request.params as { method: string };
    const accepted = acceptCall(method, request, reply, state);
    if (!accepted) return reply;
    const account = state.accounts.get(accepted.session.login)!;
    const call = countUp(state.dataCalls, accepted.session.login);
    const fault = dataFault(account.behaviour, call, method, accepted.session.isAppStarted);
    switch (fault) {
      case 'throttle':
        return reply.code(429).header('retry-after', '1').type('text/plain').send('Too Many Requests');
      case 'expire':
        state.sessions.close(accepted.session.token);
        return reply.code(401).type(HTML).send(EXPIRED_PAGE);
      case 'start_first':
        return reply.code(401).type(HTML).send(EXPIRED_PAGE);
      case 'page':
        return reply.type(HTML).send(LOGIN_PAGE);
      case 'error':
        return reply.code(500).type('text/plain').send('Internal Server Error');
      case 'captcha':
        return sendJson(reply, account, accepted, { content: { data: null }, code: 98, message: 'Redireccionar' });
      case 'code_2':
        return sendJson(reply, account, accepted, { content: { data: null }, code: 2, message: 'Error inesperado' });
      case 'slow':
        await pause(app, SLOW_MS);
    }
    const result = runMethod(method, state, account, accepted.data);
    const body = bodyOf(account, accepted, result);
    if (fault === 'cut') return cutOff(reply, body);
    return reply.type(JSON_TYPE).send(fault === 'truncate' ? body.slice(0, Math.floor(body.length / 2)) : body);
  });
};

const bodyOf = (account: SandboxCredential, { envelope }: Accepted, result: Result): string => {
  const whole = answer(envelope, result.content, result.code, result.message);
  if (account.behaviour === 'unknown_fields') return JSON.stringify(withUnknownFields(whole));
  return JSON.stringify(account.behaviour === 'loose_types' ? loosened(whole) : whole);
};

const sendJson = (reply: FastifyReply, account: SandboxCredential, accepted: Accepted, result: Result) =>
  reply.type(JSON_TYPE).send(bodyOf(account, accepted, result));

/** Announces the whole body, sends half of it and hangs up. */
const cutOff = (reply: FastifyReply, body: string): FastifyReply => {
  reply.hijack();
  reply.raw.writeHead(200, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body) });
  reply.raw.write(body.slice(0, Math.floor(body.length / 2)), () => reply.raw.destroy());
  return reply;
};

/** Ends early when the server closes, so that nobody waits for a slow answer that nobody reads. */
export const pause = (app: FastifyInstance, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      app.server.off('close', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    timer.unref();
    app.server.once('close', end);
  });

const sendFile = (request: FastifyRequest, reply: FastifyReply, state: State) => {
  const session = state.sessions.find(tokenOf(request));
  if (!session) return reply.code(401).type(HTML).send(EXPIRED_PAGE);
  const { blob, user, company, job: id } = request.params as Record<'blob' | 'user' | 'company' | 'job', string>;
  const job = state.jobs.find(Number(id));
  const account = state.accounts.get(session.login)!;
  const isTheirs =
    job !== undefined &&
    blob === blobOf(job) &&
    user === splitRut(session.login).body &&
    company === splitRut(job.company).body &&
    isReady(job, state.now(), state.knobs.asyncDelayMs);
  if (!isTheirs) return reply.code(404).type('text/plain').send('Not Found');
  return reply.type('application/octet-stream').send(fileOf(state, account, job));
};

/** Lines end with CR LF; UTF-8 files begin with a byte order mark, as some readers found (tax.md §5). */
const fileOf = (state: State, account: SandboxCredential, job: Job): Buffer => {
  const lines = csvLines(jobDocs(state, account, job), job.operation, job.estado, job.type === 0);
  const text = `${lines.join('\r\n')}\r\n`;
  const isLatin1 = state.knobs.charset === 'iso-8859-1' || account.behaviour === 'latin1_files';
  return gzipSync(isLatin1 ? Buffer.from(text, 'latin1') : Buffer.from(`\uFEFF${text}`, 'utf8'), { level: 1 });
};

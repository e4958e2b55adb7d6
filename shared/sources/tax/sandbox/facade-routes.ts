/** Data calls and file downloads, with the faults that the credentials select. */
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { splitRut } from '#shared/values/rut.ts';
import { HTML_TYPE, pause, SLOW_MS, sendBody } from '../../sandbox-kit/answers.ts';
import { ERROR_PAGE, withChangedKeys, withField } from '../../sandbox-kit/lies.ts';
import { countUp } from '../../sandbox-kit/memory.ts';
import { answer, EXPIRED_PAGE, loosened, NO_RIGHTS, type Result } from './answers.ts';
import { APPS, REGISTER_ROOT, type SandboxApp } from './apps.ts';
import { dataFault } from './behaviour.ts';
import type { TaxCredential } from './credentials.ts';
import { csvLines } from './csv.ts';
import { type AcceptedFacadeCall, acceptCall } from './facade-checks.ts';
import { jobDocs } from './facade-methods.ts';
import { type FileJob, isReady, nameBlob } from './jobs.ts';
import { LOGIN_PAGE } from './login-pages.ts';
import { readToken } from './login-routes.ts';
import { countStartCall } from './sessions.ts';
import type { State } from './state.ts';

const JSON_TYPE = 'application/json;charset=UTF-8';

export const registerFacadeRoutes = (server: FastifyInstance, state: State): void => {
  server.get(`${REGISTER_ROOT}/obtenerArchivoBLOB/:blob/:user/:company/:job`, (request, reply) =>
    sendFile(request, reply, state),
  );
  for (const app of APPS) registerApp(server, app, state);
};

const registerApp = (server: FastifyInstance, app: SandboxApp, state: State): void => {
  server.all(`${app.root}/:method`, async (request, reply) => {
    const { method } = request.params as { method: string };
    const accepted = acceptCall(app, request, reply, state);
    if (!accepted) return reply;
    const account = state.accounts.get(accepted.session.login)!;
    const { session } = accepted;
    if (app.name === 'register') countStartCall(session, method);
    const number = countUp(state.dataCalls, session.login);
    const fault = dataFault(account.behaviour, { app: app.name, method, number, session });
    switch (fault) {
      case 'throttle':
        return reply.code(429).header('retry-after', '1').type('text/plain').send('Too Many Requests');
      case 'expire':
        state.sessions.close(accepted.session.token);
        return reply.code(401).type(HTML_TYPE).send(EXPIRED_PAGE);
      case 'start_first':
        return reply.code(401).type(HTML_TYPE).send(EXPIRED_PAGE);
      case 'page':
        return reply.type(HTML_TYPE).send(LOGIN_PAGE);
      case 'error':
        return reply.code(500).type('text/plain').send('Internal Server Error');
      case 'captcha':
        return sendJson(reply, account, accepted, { content: { data: null }, code: 98, message: 'Redireccionar' });
      case 'code_2':
        return sendJson(reply, account, accepted, { content: { data: null }, code: 2, message: 'Error inesperado' });
      case 'no_rights':
        return sendJson(reply, account, accepted, { content: { data: null }, code: 99, message: NO_RIGHTS });
      case 'slow':
        await pause(server, SLOW_MS);
    }
    const result = app.run(method, state, account, accepted.data);
    return sendBody(reply, JSON_TYPE, bodyOf(account, accepted, result), fault);
  });
};

const bodyOf = (account: TaxCredential, { envelope }: AcceptedFacadeCall, result: Result): string => {
  const whole = answer(envelope, result);
  if (account.behaviour === 'changed_page') return asWritten({ ...whole, data: withChangedKeys(result.content.data) });
  if (account.behaviour === 'unknown_fields')
    return asWritten(withField(whole, 'campoNuevo', { version: 2, notas: ['añadido'] }));
  return asWritten(account.behaviour === 'loose_types' ? loosened(whole) : whole);
};

/** Writes a rate with one decimal, as the institution does (tax.md §7.3); `JSON.stringify` would write 19. */
const asWritten = (value: unknown): string => JSON.stringify(value).replaceAll(/("tasaImptoIVA":\d+)(?=[,}])/g, '$1.0');

const sendJson = (reply: FastifyReply, account: TaxCredential, accepted: AcceptedFacadeCall, result: Result) =>
  reply.type(JSON_TYPE).send(bodyOf(account, accepted, result));

const sendFile = (request: FastifyRequest, reply: FastifyReply, state: State) => {
  const session = state.sessions.find(readToken(request));
  if (!session) return reply.code(401).type(HTML_TYPE).send(EXPIRED_PAGE);
  const { blob, user, company, job: id } = request.params as Record<'blob' | 'user' | 'company' | 'job', string>;
  const job = state.jobs.find(Number(id));
  const account = state.accounts.get(session.login)!;
  const isTheirs =
    job !== undefined &&
    blob === nameBlob(job) &&
    user === splitRut(session.login).body &&
    company === splitRut(job.company).body &&
    isReady(job, state.now(), state.knobs.asyncDelayMs);
  if (!isTheirs) return reply.code(404).type('text/plain').send('Not Found');
  const isJunk = account.behaviour === 'junk_file';
  return reply.type('application/octet-stream').send(isJunk ? ERROR_PAGE : fileOf(state, account, job));
};

/**
 * Returns the bytes of a job's file. Lines end with CR LF, and UTF-8 files begin with a byte order mark, as some
 * clients found (tax.md §5).
 */
const fileOf = (state: State, account: TaxCredential, job: FileJob): Buffer => {
  const lines = csvLines(jobDocs(state, account, job), job.operation, job.estado, job.type === 0);
  // A file ends with a blank line of totals.
  const blank = lines.at(-1)?.replaceAll(/[^;]/g, '');
  const text = `${[...lines, blank].join('\r\n')}\r\n`;
  const isLatin1 = state.knobs.charset === 'iso-8859-1' || account.behaviour === 'latin1_files';
  return gzipSync(isLatin1 ? Buffer.from(text, 'latin1') : Buffer.from(`\uFEFF${text}`, 'utf8'), { level: 1 });
};

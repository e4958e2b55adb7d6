/** Accounts and months, statement files, balances (banks.md §3.3), with the faults that credentials select. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { accountKey } from '#shared/values/statements.ts';
import { pause, SLOW_MS, sendBody } from '../../sandbox-kit/answers.ts';
import { ERROR_PAGE } from '../../sandbox-kit/lies.ts';
import { countUp } from '../../sandbox-kit/memory.ts';
import { makeRut } from '../../sandbox-kit/parties.ts';
import { createRandom } from '../../sandbox-kit/random.ts';
import { balancesFile } from './balances-file.ts';
import { type DataFault, dataFault, type PageCall } from './behaviour.ts';
import { isNight } from './calendar.ts';
import { type BankthreeCredential, findCompany } from './credentials.ts';
import * as pages from './pages.ts';
import { accountsPage } from './pages.ts';
import { ownName } from './parties.ts';
import { HTML_TYPE, readFormFields, readToken, sendPage } from './replies.ts';
import type { Session } from './sessions.ts';
import type { State } from './state.ts';
import { statementFile } from './statement-file.ts';

const TXT_TYPE = 'text/plain; charset=ISO-8859-1';
const CSV_TYPE = 'text/csv; charset=ISO-8859-1';
const LOGIN_PATH = '/empresas/login.asp';
/** RUT of a company for which no login exists. */
const OTHER_COMPANY = makeRut(77_999_999);

interface AccountRoutes {
  app: FastifyInstance;
  state: State;
}

interface AcceptedPage {
  session: Session;
  entry: BankthreeCredential;
  fault: DataFault;
}

export const registerAccountRoutes = (app: FastifyInstance, state: State): void => {
  const running = { app, state };
  const ROUTE = '/empresas/cuentas';
  app.get(`${ROUTE}/cartola_corriente.asp`, async (request, reply) => {
    const accepted = await accept(running, 'accounts', request, reply);
    if (!accepted) return reply;
    const { entry } = accepted;
    const { book } = state;
    const page = accountsPage(book.accounts(entry), book.closedMonths(entry), entry.behaviour === 'unknown_fields');
    return sendPage(reply, entry.behaviour === 'changed_page' ? page.replaceAll('select name="', '$&cmb_') : page);
  });
  app.post(`${ROUTE}/cartola_txt.asp`, async (request, reply) => {
    const accepted = await accept(running, 'statement', request, reply);
    return accepted ? sendStatement(request, reply, state, accepted) : reply;
  });
  app.get(`${ROUTE}/saldos_csv.asp`, async (request, reply) => {
    const accepted = await accept(running, 'balances', request, reply);
    if (!accepted) return reply;
    const { entry, fault } = accepted;
    if (entry.behaviour === 'junk_file') return sendFile(reply, Buffer.alloc(0), CSV_TYPE, fault);
    return sendFile(reply, balancesFile(state.book.balances(entry), state.now(), entry.behaviour), CSV_TYPE, fault);
  });
};

/** Returns the accepted call. Returns undefined after it has sent the reply itself. */
const accept = async (
  { app, state }: AccountRoutes,
  call: PageCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<AcceptedPage | undefined> => {
  const refuse = (html: string, status = 200): undefined => void sendPage(reply, html, status);
  const expired = (isRedirect: boolean): undefined =>
    isRedirect ? void reply.redirect(LOGIN_PATH, 302) : refuse(pages.LOGIN_FORM);
  if (state.knobs.nightlyMaintenance && isNight(state.now())) return refuse(pages.MAINTENANCE);
  const session = state.sessions.find(readToken(request));
  const entry = session && state.entries.get(session.login);
  if (!session || !entry) return expired(state.knobs.expiredAnswer === 'redirect');
  const fault = dataFault(entry.behaviour, call, countUp(state.calls, session.login));
  if (call !== 'accounts' && isTooFast(session, state)) return refuse(pages.TOO_FAST);
  switch (fault) {
    case 'expire':
    case 'expire_redirect':
      state.sessions.close(session.token);
      return expired(fault === 'expire_redirect');
    case 'too_fast':
      return refuse(pages.TOO_FAST);
    case 'maintenance':
      return refuse(pages.MAINTENANCE);
    case 'blocked':
      return refuse(pages.BLOCKED, 403);
    case 'error':
      return refuse(pages.FAULT, 500);
    case 'unknown_page':
      return refuse(pages.UNKNOWN);
    case 'refuse_account':
      return refuse(pages.NOT_AUTHORIZED);
    case 'slow':
      await pause(app, SLOW_MS);
  }
  return { session, entry, fault };
};

const isTooFast = (session: Session, { knobs, now }: State): boolean => {
  const last = session.downloadedMs;
  if (last !== undefined && now() - last < knobs.downloadIntervalMs) return true;
  session.downloadedMs = now();
  return false;
};

const sendStatement = (request: FastifyRequest, reply: FastifyReply, state: State, { entry, fault }: AcceptedPage) => {
  const { cuenta = '', fecha = '' } = readFormFields(request);
  const { book, knobs, seed } = state;
  const account = book.accounts(entry).find(({ number }) => cuenta !== '' && accountKey(number) === accountKey(cuenta));
  if (!account) return sendPage(reply, pages.NOT_AUTHORIZED);
  const period = fecha === 'ACTUAL' ? book.currentPeriod() : fecha.replace(/^(\d{4})(\d{2})$/, '$1-$2');
  // The open month is shown only if the request says `ACTUAL`.
  const isListed = fecha === 'ACTUAL' || book.closedMonths(entry).includes(period);
  const view = isListed ? book.statement(entry, account, period) : undefined;
  if (!view) return sendPage(reply, pages.NOT_AVAILABLE);
  const isEmptyPage = knobs.emptyAsPage || entry.behaviour === 'empty_pages';
  if (view.entries.length === 0 && isEmptyPage) return sendPage(reply, pages.NO_MOVEMENTS);
  const rut = entry.behaviour === 'wrong_company' ? OTHER_COMPANY : findCompany(entry);
  const company = { rut, name: ownName(createRandom(`${seed}|${rut}|name`)) };
  const name = `CTA_${account.number.slice(-9)}_${fecha}.txt`;
  void reply.header('content-disposition', `attachment; filename=${name}`);
  if (entry.behaviour === 'junk_file') return sendFile(reply, Buffer.from(ERROR_PAGE), TXT_TYPE, fault);
  return sendFile(reply, statementFile(view, company, entry.behaviour), TXT_TYPE, fault);
};

const sendFile = (reply: FastifyReply, body: Buffer, type: string, fault: DataFault): FastifyReply =>
  sendBody(reply, fault === 'mislabel' ? HTML_TYPE : type, body, fault);

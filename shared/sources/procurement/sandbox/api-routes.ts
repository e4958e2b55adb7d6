/** The API with a ticket: one call at a time per ticket, a quota, and errors with any status (procurement.md §2). */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { JSON_TYPE, sendBody } from '../../sandbox-kit/answers.ts';
import { answerLoginWithLie } from '../../sandbox-kit/lies.ts';
import { countUp } from '../../sandbox-kit/memory.ts';
import { apiFault } from './behaviour.ts';
import type { ProcurementCredential } from './credentials.ts';
import { detailItem, envelope, listItem, spoiled, written } from './detail.ts';
import { type FaultRoutes, faulty, sendBusy } from './faults.ts';
import type { State } from './state.ts';
import { codesOfDay } from './tender.ts';

const PATH = '/servicios/v1/publico/licitaciones.json';
const PARAMETERS = new Set(['ticket', 'codigo', 'fecha', 'estado', 'CodigoOrganismo', 'CodigoProveedor']);

type Query = Record<string, string | undefined>;

const refuse = (reply: FastifyReply, status: number, code: number, message: string): FastifyReply =>
  reply.code(status).send({ Codigo: code, Mensaje: message });

export const registerApiRoutes = (app: FastifyInstance, state: State): void => {
  app.get(PATH, async (request, reply) => {
    const query = request.query as Query;
    const entry = state.byTicket.get(query.ticket ?? '');
    if (!entry) return refuse(reply, 401, 203, 'Ticket no válido.');
    const { ticket } = entry.credentials;
    const call = countUp(state.apiCalls, ticket);
    if (entry.behaviour === 'wrong_password') return refuse(reply, 401, 203, 'Ticket no válido.');
    const lie = answerLoginWithLie(reply, entry.behaviour);
    if (lie) return lie;
    if (entry.behaviour === 'ticket_rejected') return refuse(reply, 200, 10_200, 'Ticket rechazado.');
    if ((state.underWay.get(ticket) ?? 0) > 0) return sendBusy(reply, state, call);
    if (call > state.knobs.quota) return reply.code(429).type('text/plain').send('Too Many Requests');
    state.underWay.set(ticket, call);
    const free = (): void => {
      if (state.underWay.get(ticket) === call) state.underWay.set(ticket, 0);
    };
    // If a client disconnects, its call no longer counts as a call in progress.
    reply.raw.once('close', free);
    try {
      return await answer({ app, state }, { entry, query, call }, reply);
    } finally {
      free();
    }
  });
};

const answer = async (
  running: FaultRoutes,
  { entry, query, call }: { entry: ProcurementCredential; query: Query; call: number },
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const { state } = running;
  if (!Object.keys(query).every((name) => PARAMETERS.has(name)))
    return refuse(reply, 400, 400, 'Nombre de parametro no válido.');
  const fault = apiFault(entry.behaviour, call);
  const spoilt = await faulty(running, reply, fault, call);
  if (spoilt) return spoilt;
  const list = query.codigo === undefined ? listOf(state, entry, query) : detailOf(state, entry, query.codigo);
  if (!list) return refuse(reply, 400, 400, 'Valor de parametro no válido.');
  // Some answers begin with a byte order mark (§2.2).
  const mark = call % 3 === 0 ? '\uFEFF' : '';
  return sendBody(reply, JSON_TYPE, Buffer.from(`${mark}${written(envelope(list, state.now()))}`), fault);
};

/**
 * Returns the tender of a detail call. A ticket sees only the tenders of its own unit, so that the behaviour of one
 * ticket does not affect another ticket.
 */
const detailOf = (state: State, entry: ProcurementCredential, codigo: string): unknown[] => {
  const tender = state.tender(codigo.toUpperCase());
  const isKnown = tender?.unit === entry.unit && entry.behaviour !== 'private_tender';
  return isKnown ? [spoiled(detailItem(tender, state.now()), entry.behaviour)] : [];
};

const DAY = /^(\d{2})(\d{2})(\d{4})$/;

const listOf = (state: State, entry: ProcurementCredential, query: Query): unknown[] | undefined => {
  const now = new Date(state.now()).toISOString().slice(0, 10);
  const match = query.fecha === undefined ? undefined : DAY.exec(query.fecha);
  if (match === null) return undefined;
  const day = match ? `${match[3]}-${match[2]}-${match[1]}` : now;
  return codesOfDay(entry.unit, day)
    .flatMap((codigo) => state.tender(codigo) ?? [])
    .filter(({ publicacion }) => publicacion.startsWith(day))
    .map((tender) => listItem(tender, state.now()));
};

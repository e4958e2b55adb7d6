/** The anonymous web side: a redirect with a token, listings by postback, files by image button (procurement.md §3). */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HTML_TYPE, JSON_TYPE, sendBody } from '../../sandbox-kit/answers.ts';
import { withChangedKeys } from '../../sandbox-kit/lies.ts';
import { type Behaviour, webFault } from './behaviour.ts';
import { toMs } from './clock.ts';
import { faulty, GATE } from './faults.ts';
import { EMPTY_FICHA, fichaPage } from './ficha-page.ts';
import { EXPIRED, page } from './html.ts';
import { framePage, headerPage } from './offer-pages.ts';
import { postback, writeListing } from './postbacks.ts';
import type { State } from './state.ts';
import { deriveState } from './tender.ts';
import { type LinkTarget, tokenIn } from './tokens.ts';

const FICHA = '/Procurement/Modules/RFB/DetailsAcquisition.aspx';
const STEPS = '/Procurement/Modules/RFB/StepsProcessAward';
export const PATHS: Readonly<Record<string, LinkTarget['kind']>> = {
  '/Procurement/Modules/Attachment/ViewAttachment.aspx': 'anexo',
  '/Procurement/Modules/Attachment/VerAntecedentes.aspx': 'antecedente',
  [`${STEPS}/SupplySummary.aspx`]: 'cuadro',
  '/BID/Modules/POPUPS/ViewBidAttachment.aspx': 'oferta',
};

export const readVisitor = (request: FastifyRequest): string =>
  /ASP\.NET_SessionId=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';

const behaviourOf = (state: State, codigo: string): Behaviour =>
  state.byUnit.get(Number(codigo.split('-')[0]))?.behaviour ?? 'works';

const welcome = (request: FastifyRequest, reply: FastifyReply): string => {
  const known = readVisitor(request);
  if (known) return known;
  const visitor = randomBytes(12).toString('hex');
  void reply.header('set-cookie', `ASP.NET_SessionId=${visitor}; path=/; HttpOnly; SameSite=Lax`);
  return visitor;
};

export const registerWebRoutes = (app: FastifyInstance, state: State): void => {
  const running = { app, state };
  app.get(GATE, (_request, reply) => reply.type(HTML_TYPE).send(page('403', '<h1>Acceso restringido</h1>')));

  app.get(FICHA, async (request, reply) => {
    const { idlicitacion } = request.query as { idlicitacion?: string };
    if (idlicitacion !== undefined) {
      const token = state.tokens.link({ kind: 'ficha', codigo: idlicitacion.toUpperCase() });
      return reply.redirect(`${FICHA}?qs=${token}`, 302);
    }
    const target = state.tokens.find(tokenIn(request, 'qs'));
    if (target?.kind !== 'ficha') return reply.type(HTML_TYPE).send(EXPIRED);
    const behaviour = behaviourOf(state, target.codigo);
    const fault = webFault(behaviour, 'ficha');
    const spoilt = await faulty(running, reply, fault);
    if (spoilt) return spoilt;
    const tender = state.tender(target.codigo);
    const shown = behaviour === 'other_tender' ? '1509-5-L114' : target.codigo;
    const html = tender ? fichaPage(tender, state, welcome(request, reply), shown) : EMPTY_FICHA;
    const body = behaviour === 'changed_page' ? html.replaceAll(' id="', ' id="v2') : html;
    return sendBody(reply, HTML_TYPE, Buffer.from(body), fault);
  });

  app.post(FICHA, (request, reply) => postback(request, reply, state, { kind: 'ficha', codigo: '' }));

  const chain = (name: string, kind: 'apertura' | 'encabezado', next: (token: string) => string): void => {
    app.get(`${STEPS}/${name}.aspx`, (request, reply) => {
      const target = state.tokens.find(tokenIn(request, 'enc'));
      if (target?.kind !== kind) return reply.type(HTML_TYPE).send(EXPIRED);
      const tender = state.tender(target.codigo);
      if (!tender || deriveState(tender, state.now()) === 5) return reply.code(500).type(HTML_TYPE).send(EMPTY_FICHA);
      const to = kind === 'apertura' ? 'encabezado' : 'cuadro';
      return reply.type(HTML_TYPE).send(next(state.tokens.link({ kind: to, codigo: target.codigo })));
    });
  };
  chain('OpeningFrame', 'apertura', framePage);
  chain('OpeningHeader', 'encabezado', headerPage);

  for (const [path, kind] of Object.entries(PATHS)) {
    app.get(path, async (request, reply) => {
      const target = state.tokens.find(tokenIn(request, 'enc'));
      if (target?.kind !== kind) return reply.type(HTML_TYPE).send(EXPIRED);
      const which = kind === 'anexo' || kind === 'oferta' ? kind : 'other';
      const spoilt = await faulty(running, reply, webFault(behaviourOf(state, target.codigo), which));
      if (spoilt) return spoilt;
      return reply
        .type(HTML_TYPE)
        .send(writeListing(state, target, 1, { visitor: welcome(request, reply), action: request.url }));
    });
    app.post(path, (request, reply) => {
      const target = state.tokens.find(tokenIn(request, 'enc'));
      return target?.kind === kind ? postback(request, reply, state, target) : reply.type(HTML_TYPE).send(EXPIRED);
    });
  }

  app.get('/Foros/Modules/FNormal/servicesPub.aspx', async (request, reply) => {
    const { opt, RFBCode: codigo = '' } = request.query as { opt?: string; RFBCode?: string };
    const fault = webFault(behaviourOf(state, codigo), 'preguntas');
    const spoilt = await faulty(running, reply, fault);
    if (spoilt) return spoilt;
    if (opt !== '101') return reply.type(HTML_TYPE).send(page('Foro', ''));
    return sendBody(reply, JSON_TYPE, Buffer.from(JSON.stringify(questionsOf(state, codigo))), fault);
  });
};

/** Returns the questions: none before the forum opens, and each answer from its publication on (§3.3). */
const questionsOf = (state: State, codigo: string): unknown[] => {
  const tender = state.tender(codigo);
  if (!tender || state.now() < toMs(tender.inicioPreguntas)) return [];
  const behaviour = behaviourOf(state, codigo);
  const questions = tender.preguntas
    .filter(({ fecha }) => state.now() >= toMs(fecha))
    .map(({ id, numero, pregunta, fecha, respuesta }) => ({
      idP: numero,
      Numero: id,
      ...(behaviour === 'missing_field' ? {} : { Descripcion: pregunta }),
      FechaHora: behaviour === 'malformed_row' ? '31-02-2026 09:00:00' : forumTime(fecha),
      Estado: 8,
      RespuestaPublicada:
        respuesta && state.now() >= toMs(respuesta.fecha)
          ? { idR: respuesta.id, Descripcion: respuesta.texto, EstadoR: 4, FechaHora: forumTime(respuesta.fecha) }
          : null,
      ...(behaviour === 'unknown_fields' ? { Etiquetas: ['nueva'] } : {}),
    }));
  if (behaviour === 'changed_page') return questions.map(withChangedKeys);
  return behaviour === 'duplicate_rows' ? questions.flatMap((question) => [question, question]) : questions;
};

const forumTime = (moment: string): string => {
  const [day = '', time = ''] = moment.split('T');
  return `${day.split('-').reverse().join('-')} ${time}`;
};

/** Public procurement as a source: the ticketed API and the anonymous ficha. The wire: procurement.md. */
import { type JsonObject, type PullRequest, type SourceAdapter, SourceError, type TenderSide } from '../source.ts';
import { withDamageTold } from '../truth/damaged-text.ts';
import { askApi } from './api.ts';
import { isStillProven } from './file-proof.ts';
import { fetchFiles } from './files.ts';
import { manifest } from './manifest.ts';
import { parseDocumentos } from './parse-documentos.ts';
import { parseLicitacion } from './parse-licitaciones.ts';
import { parseOfertas } from './parse-ofertas.ts';
import { parsePreguntas } from './parse-preguntas.ts';
import { publishedOn } from './published.ts';
import { pullDocumentos, pullLicitacion, pullOfertas, pullPreguntas, type TenderPull } from './pull.ts';
import { holdSession, type OpenSession, withSession } from './session.ts';
import { createWeb } from './web.ts';
import { PROBE_CODIGO } from './wire.ts';

const PULLS: Readonly<Record<string, (pull: TenderPull) => Promise<void>>> = {
  licitaciones: pullLicitacion,
  documentos: pullDocumentos,
  preguntas: pullPreguntas,
  ofertas: pullOfertas,
};

const PARSERS = {
  licitaciones: parseLicitacion,
  documentos: parseDocumentos,
  preguntas: parsePreguntas,
  ofertas: parseOfertas,
} as const;

const isScope = (scope: string): scope is keyof typeof PARSERS => scope in PARSERS;
const noScope = (scope: string): Error => new Error(`the procurement source has no scope "${scope}"`);

const ticketOf = (credentials: JsonObject): string => String(credentials.ticket);

const tenderOf = ({ tender }: Pick<PullRequest, 'tender'>): string => {
  if (tender === undefined) throw new Error('public procurement is read by tender');
  return tender;
};

/**
 * The portal has no login. A ticket that is not accepted is refused here, before four scopes knock with it; whatever
 * else is wrong with the API is for the scope that needs it to tell.
 */
const probe = async (open: OpenSession, ticket: string, io: Parameters<SourceAdapter['connect']>[1]): Promise<void> => {
  try {
    await askApi(open, ticket, { codigo: PROBE_CODIGO }, io);
  } catch (error) {
    // A call that the engine withholds for now is withheld from the scopes that need it, not from the web.
    if (!(error instanceof SourceError) || error.code === 'source.invalid_credentials') throw error;
  }
};

const tenders: TenderSide = {
  publishedOn: (day, { credentials }, session, ask, io) =>
    withSession(session, io, (open) => publishedOn(day, ticketOf(credentials), open, ask, io)),
  isStillProven,
  async *files({ scope, ...request }, wanted, session, io) {
    const held = holdSession(session, io);
    try {
      yield* fetchFiles(createWeb(held, io), scope, tenderOf(request), wanted);
    } finally {
      await held.close();
    }
  },
};

export const source: SourceAdapter = {
  manifest,
  loginOf: ticketOf,
  connect: async ({ credentials }, io) => {
    const session: JsonObject = {};
    await withSession(session, io, (open) => probe(open, ticketOf(credentials), io));
    return session;
  },
  // Nothing is held at the portal.
  disconnect: async () => undefined,
  pull: async (request, session, ask, io) => {
    const pull = PULLS[request.scope];
    if (!pull) throw noScope(request.scope);
    const [codigo, ticket] = [tenderOf(request), ticketOf(request.credentials)];
    await withSession(session, io, (open) => pull({ codigo, ticket, open, ask, io }));
  },
  parse: (request, answers) => {
    if (!isScope(request.scope)) throw noScope(request.scope);
    return withDamageTold(manifest.code, request, answers, PARSERS[request.scope](tenderOf(request), answers));
  },
  tenders,
};

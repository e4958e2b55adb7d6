/**
 * Public procurement as a source: the API with a ticket, and the anonymous ficha. The wire is described in
 * procurement.md.
 */
import { ofScope } from '../parsing/request.ts';
import { closeSession } from '../parsing/session.ts';
import {
  type JsonObject,
  type Parsed,
  type PullRequest,
  type RawAnswer,
  type SourceAdapter,
  SourceError,
  type TenderSide,
} from '../source.ts';
import { withDamageTold } from '../truth/damaged-text.ts';
import { type ApiUser, askApi } from './api.ts';
import { isStillProven } from './file-proof.ts';
import { fetchFiles } from './files.ts';
import { manifest } from './manifest.ts';
import { parseDocumentos } from './parse-documentos.ts';
import { parseLicitacion } from './parse-licitaciones.ts';
import { parseOfertas } from './parse-ofertas.ts';
import { parsePreguntas } from './parse-preguntas.ts';
import { publishedOn } from './published.ts';
import { pullDocumentos, pullLicitacion, pullOfertas, pullPreguntas, type TenderPull } from './pull.ts';
import { beginSession, holdSession, withSession } from './session.ts';
import { createWeb } from './web.ts';
import { PROBE_CODIGO } from './wire.ts';

interface TenderScopeReader {
  pull(pull: TenderPull): Promise<void>;
  parse(codigo: string, answers: readonly RawAnswer[]): Iterable<Parsed>;
}

const SCOPES: Readonly<Record<string, TenderScopeReader>> = {
  licitaciones: { pull: pullLicitacion, parse: parseLicitacion },
  documentos: { pull: pullDocumentos, parse: parseDocumentos },
  preguntas: { pull: pullPreguntas, parse: parsePreguntas },
  ofertas: { pull: pullOfertas, parse: parseOfertas },
};

const readerOf = (scope: string): TenderScopeReader => ofScope('the procurement source', SCOPES, scope);

const ticketOf = (credentials: JsonObject): string => String(credentials.ticket);

const tenderOf = ({ tender }: Pick<PullRequest, 'tender'>): string => {
  if (tender === undefined) throw new Error('public procurement is read by tender');
  return tender;
};

/**
 * Requests one tender to find out whether the ticket is valid, because the portal has no login. This call rejects a bad
 * ticket once, before four scopes use it; any other API failure is reported by the scope that needs the API.
 */
const probe = async (user: ApiUser): Promise<void> => {
  try {
    await askApi(user, { codigo: PROBE_CODIGO });
  } catch (error) {
    // If the engine does not allow the call, the scopes that need the API wait, and the web side continues.
    if (!(error instanceof SourceError) || error.code === 'source.invalid_credentials') throw error;
  }
};

const tenders: TenderSide = {
  publishedOn: (day, { credentials }, { session, ask, io }) =>
    withSession(session, io, (open) => publishedOn(day, { open, ticket: ticketOf(credentials), io }, ask)),
  isStillProven,
  async *files({ scope, ...request }, wanted, session, io) {
    const held = holdSession(session, io);
    try {
      yield* fetchFiles(createWeb(held, io), scope, tenderOf(request), wanted);
    } finally {
      await closeSession(held);
    }
  },
};

export const source: SourceAdapter = {
  manifest,
  loginOf: ticketOf,
  connect: ({ credentials }, io) => beginSession(io, (open) => probe({ open, ticket: ticketOf(credentials), io })),
  // The portal has no session to end.
  disconnect: async () => undefined,
  pull: async (request, { session, ask, io }) => {
    const reader = readerOf(request.scope);
    const [codigo, ticket] = [tenderOf(request), ticketOf(request.credentials)];
    await withSession(session, io, (open) => reader.pull({ codigo, ticket, open, ask, io }));
  },
  parse: (request, answers) => {
    const parsed = readerOf(request.scope).parse(tenderOf(request), answers);
    // The texts of questions contain entities (procurement.md §3.3).
    return withDamageTold(
      manifest.code,
      { ...request, decodesEntities: request.scope === 'preguntas' },
      answers,
      parsed,
    );
  },
  tenders,
};

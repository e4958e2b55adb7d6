/** Readers of the tax authority's scopes: each has the requests of a session and the parser of the stored answers. */
import type { Parsed, PullContext, RawAnswer } from '../source.ts';
import { BOLETAS_APP, DOCUMENTS_APP, REGISTER_APP } from './apps.ts';
import { parseBoletas } from './boletas-parse.ts';
import { pullBoletas } from './boletas-pull.ts';
import { createDataClient, createRegisterClient } from './client.ts';
import { parseGuides } from './guias-parse.ts';
import { pullGuides } from './guias-pull.ts';
import type { manifest } from './manifest.ts';
import { parseRegister } from './rcv-parse.ts';
import { pullRegister, type RegisterRequest } from './rcv-pull.ts';
import type { OpenSession } from './session.ts';

interface ScopeReader {
  pull(month: RegisterRequest, open: OpenSession, context: PullContext): Promise<void>;
  parse(company: string, answers: readonly RawAnswer[]): Iterable<Parsed>;
}

export const SCOPE_READERS: Readonly<Record<(typeof manifest.scopes)[number], ScopeReader>> = {
  rcv: {
    pull: (month, open, context) => pullRegister(month, createRegisterClient(open, context.io), context),
    parse: parseRegister,
  },
  boletas: {
    pull: (month, open, context) => {
      const register = createDataClient(open, REGISTER_APP, context.io);
      const boletas = createDataClient(open, BOLETAS_APP, context.io);
      return pullBoletas(month, { register, boletas }, context);
    },
    parse: parseBoletas,
  },
  guias: {
    pull: (month, open, context) => pullGuides(month, createDataClient(open, DOCUMENTS_APP, context.io), context),
    parse: parseGuides,
  },
};

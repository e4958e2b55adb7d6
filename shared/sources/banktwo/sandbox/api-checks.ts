/** Checks before every data call: token, client, company, request id (banks.md §3.2). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HTML_TYPE } from '../../sandbox-kit/answers.ts';
import { countUp } from '../../sandbox-kit/memory.ts';
import { dataFault } from './behaviour.ts';
import type { SandboxClient } from './credentials.ts';
import { refuse, retryAfter, tellMinute, throttled } from './refusals.ts';
import { countMinute, type State } from './state.ts';
import { CHALLENGE_PAGE, FAULT_PAGE } from './wire-format.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export interface AcceptedCall {
  client: SandboxClient;
  fault: 'none' | 'slow' | 'cut' | 'truncate';
}

const header = (request: FastifyRequest, name: string): string => String(request.headers[name] ?? '');

/** Returns the accepted call. Returns undefined after it has sent a refusal. */
export const acceptCall = (
  request: FastifyRequest,
  reply: FastifyReply,
  state: State,
  isAccounts: boolean,
): AcceptedCall | undefined => {
  const requestId = header(request, 'x-request-id');
  if (requestId !== '') reply.header('x-request-id', requestId);
  const bearer = /^Bearer (\S+)$/.exec(header(request, 'authorization'))?.[1];
  const issued = state.tokens.find(bearer);
  const client = issued && state.clients.get(issued.login);
  const no = (status: number, code: string, message: string, seconds?: number): undefined =>
    void refuse(seconds === undefined ? reply : retryAfter(reply, seconds), status, code, message);
  if (!issued || !client || header(request, 'x-client-id') !== issued.login)
    return no(401, 'INVALID_TOKEN', 'Token inválido o expirado');
  const minute = countMinute(state, `data|${issued.login}`, state.knobs.requestsPerMinute);
  tellMinute(reply, minute);
  if (minute.isExceeded) {
    throttled(reply, minute);
    return undefined;
  }
  if ((state.inFlight.get(issued.login) ?? 0) > state.knobs.parallelMax)
    return no(429, 'RATE_LIMIT', 'Demasiadas solicitudes a la vez', 1);
  if (!UUID.test(requestId)) return no(400, 'VALIDATION', 'X-Request-Id');
  const company = header(request, 'x-client-code');
  if (!/^\d{10}[\dK]$/.test(company)) return no(400, 'VALIDATION', 'X-Client-Code');
  if (company !== client.credentials.company_rut.replace('-', '').padStart(11, '0'))
    return no(403, 'CLIENT_CODE', 'Empresa no autorizada');

  const ofClient = countUp(state.dataCalls, issued.login);
  const fault = dataFault(client.behaviour, { ofClient, isAccounts });
  switch (fault) {
    case 'throttle':
      return no(429, 'RATE_LIMIT', 'Demasiadas solicitudes', 1);
    case 'revoke':
      state.tokens.close(issued.token);
      return no(401, 'INVALID_TOKEN', 'Token revocado');
    case 'error':
      return no(500, 'UPSTREAM', 'Error = 500');
    case 'maintenance':
      return no(503, 'MAINTENANCE', 'Mantención programada', 1);
    case 'client_code':
      return no(403, 'CLIENT_CODE', 'Empresa no autorizada');
    case 'scope':
      return no(403, 'SCOPE', 'Sin permiso');
    case 'gateway':
      reply.code(502).type(HTML_TYPE).send(FAULT_PAGE);
      return undefined;
    case 'page':
      reply.type(HTML_TYPE).send(FAULT_PAGE);
      return undefined;
    case 'block':
      reply.code(403).type(HTML_TYPE).send(CHALLENGE_PAGE);
      return undefined;
  }
  return { client, fault };
};

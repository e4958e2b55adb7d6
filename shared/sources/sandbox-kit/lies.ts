/** Faults that every simulated institution can show in the same form: faults before its login, and changed keys. */
import type { FastifyReply } from 'fastify';

/** Behaviours that every institution can have. */
export type SharedBehaviour =
  | 'works'
  | 'large'
  | 'empty'
  | 'wrong_password'
  | 'rate_limited'
  | 'session_expires'
  | 'page_for_data'
  | 'cut_off'
  | 'truncated'
  | 'malformed_row'
  | 'missing_field'
  | 'unknown_fields'
  | 'duplicate_rows'
  | 'server_error'
  | 'slow'
  | 'firewall_page'
  | 'unclear_login'
  | 'changed_page';

export const ERROR_PAGE =
  '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Your support ID is: 4711</body></html>';

/**
 * Faults that any answer can have. `cut` closes the connection in the middle of the body; `truncate` sends half of the
 * body as if it were complete.
 */
export type SharedFault = 'none' | 'error' | 'slow' | 'cut' | 'truncate';

/** Temporary faults by behaviour, with the calls of a login at which they occur, counted from 1. */
export type PassingFaults<Behaviour extends string, Fault> = Partial<
  Record<Behaviour, readonly [fault: Fault, ...calls: number[]]>
>;

export const passingFault = <Behaviour extends string, Fault>(
  faults: PassingFaults<Behaviour, Fault>,
  behaviour: Behaviour,
  call: number,
): Fault | undefined => {
  const [fault, ...calls] = faults[behaviour] ?? [];
  return calls.includes(call) ? fault : undefined;
};

/** Sends a faulty answer to a login; returns undefined if the behaviour lets the login continue. */
export const answerLoginWithLie = (reply: FastifyReply, behaviour: string | undefined): FastifyReply | undefined => {
  if (behaviour === 'firewall_page') return reply.type('text/html; charset=utf-8').send(ERROR_PAGE);
  if (behaviour === 'unclear_login') return reply.code(401).send({ estado: 'POLITICA', detalle: 'R-4711' });
  return undefined;
};

/** Changes the spelling of every key of every object. */
export const withChangedKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withChangedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [`${key}V2`, withChangedKeys(inner)]));
};

/** Adds an unknown field to every object. */
export const withField = (value: unknown, name: string, field: unknown): unknown => {
  if (Array.isArray(value)) return value.map((each) => withField(each, name, field));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, inner]) => [key, withField(inner, name, field)]);
  return { ...Object.fromEntries(fields), [name]: field };
};

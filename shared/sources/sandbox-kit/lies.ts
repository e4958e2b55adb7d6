/** Lies that every simulated institution tells in the same words: before its login, and with keys of another wire. */
import type { FastifyReply } from 'fastify';

/** What every institution can do to those who read it. */
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

/** What can become of any institution's answer: nothing, an error, a late one, half of it. */
export type SharedFault = 'none' | 'error' | 'slow' | 'cut' | 'truncate';

/** Faults that pass, and the calls of a login, from 1, at which they come. */
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

/** Undefined where the behaviour lets the login go on. */
export const answerLoginWithLie = (reply: FastifyReply, behaviour: string | undefined): FastifyReply | undefined => {
  if (behaviour === 'firewall_page') return reply.type('text/html; charset=utf-8').send(ERROR_PAGE);
  if (behaviour === 'unclear_login') return reply.code(401).send({ estado: 'POLITICA', detalle: 'R-4711' });
  return undefined;
};

/** Every key of every object in another spelling. */
export const withChangedKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withChangedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [`${key}V2`, withChangedKeys(inner)]));
};

/** Every object gets a field nobody has seen before. */
export const withField = (value: unknown, name: string, field: unknown): unknown => {
  if (Array.isArray(value)) return value.map((each) => withField(each, name, field));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, inner]) => [key, withField(inner, name, field)]);
  return { ...Object.fromEntries(fields), [name]: field };
};

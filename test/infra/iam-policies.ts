/**
 * Decides whether IAM would allow a call. The evaluator supports the part of IAM's rules that our roles use, and throws
 * at any other rule.
 */
export interface Statement {
  Effect: 'Allow' | 'Deny';
  Action: string | string[];
  Resource: string | string[];
  Condition?: Readonly<Record<string, Readonly<Record<string, string | string[]>>>>;
}

export interface Call {
  action: string;
  /** An ARN, or the placeholder of one in the statements. */
  resource: string;
  /** Condition keys of the call. */
  context?: Readonly<Record<string, string | readonly string[]>>;
}

const KNOWN = new Set(['Effect', 'Action', 'Resource', 'Condition', 'Sid']);

const list = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T]);

/** `*` matches any characters, `?` one character. Actions ignore case. */
const matches = (pattern: string, text: string, flags = ''): boolean => {
  const literal = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll('*', '.*').replaceAll('?', '.')}$`, `s${flags}`).test(text);
};

/** `null` if the call has no such key. */
type Judge = (wanted: readonly string[], found: readonly string[] | null) => boolean;

const OPERATORS: Readonly<Record<string, Judge>> = {
  StringEquals: (wanted, found) => found?.length === 1 && wanted.includes(found[0]!),
  StringLike: (wanted, found) => found?.length === 1 && wanted.some((pattern) => matches(pattern, found[0]!)),
  // 'true': the call must not have the key; 'false': it must.
  Null: (wanted, found) => wanted.includes(String(found === null)),
  // Also true if the call has no such key.
  'ForAllValues:StringEquals': (wanted, found) => (found ?? []).every((value) => wanted.includes(value)),
  'ForAllValues:StringLike': (wanted, found) =>
    (found ?? []).every((value) => wanted.some((pattern) => matches(pattern, value))),
};

const holds = ({ Condition = {} }: Statement, { context = {} }: Call): boolean =>
  Object.entries(Condition).every(([operator, tests]) => {
    const judge = OPERATORS[operator];
    if (judge === undefined) throw new Error(`no judgement on ${operator}`);
    return Object.entries(tests).every(([key, wanted]) => {
      const found = context[key];
      return judge(list(wanted), found === undefined ? null : list(found));
    });
  });

const applies = (statement: Statement, call: Call): boolean => {
  const unknown = Object.keys(statement).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) throw new Error(`no judgement on ${unknown}`);
  return (
    list(statement.Action).some((action) => matches(action, call.action, 'i')) &&
    list(statement.Resource).some((resource) => matches(resource, call.resource)) &&
    holds(statement, call)
  );
};

export const isAllowed = (statements: readonly Statement[], call: Call): boolean => {
  const effects = statements.filter((statement) => applies(statement, call)).map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
};

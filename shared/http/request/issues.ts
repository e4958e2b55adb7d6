/**
 * Turns schema issues into "<field> <rule>", without any value and without zod's own texts. If a schema has its own
 * text for a rule ("must be a period of the form YYYY-MM"), this text is used unchanged. `judge` removes zod's own
 * messages, so every message that is left comes from a schema.
 */
import type * as z from 'zod';
import type { $ZodIssue, $ZodType } from 'zod/v4/core';
import { numberTraits, readDefinition, schemaAt } from './schema-at.ts';

/** A client may choose any key names, so only plain key names are quoted. */
const PLAIN = /^[\w-]{1,64}$/;
const ISSUES_MAX = 5;

type Path = readonly PropertyKey[];

export const fieldName = (path: Path): string =>
  path
    .map((part, at) => {
      if (typeof part === 'number') return `[${part}]`;
      const name = PLAIN.test(String(part)) ? String(part) : '?';
      return at === 0 ? name : `.${name}`;
    })
    .join('');

const isBound = (n: number | null | undefined): n is number =>
  typeof n === 'number' && Math.abs(n) < Number.MAX_SAFE_INTEGER;

/**
 * Returns the rule of a number. "between 1 and 200" comes from the schema, since an issue contains only the violated
 * bound.
 */
const numberRule = (schema: $ZodType | undefined): string => {
  const { minValue: minimum, maxValue: maximum, isInt } = numberTraits(schema);
  const noun = isInt ? 'an integer' : 'a number';
  if (isBound(minimum) && isBound(maximum)) return `must be between ${minimum} and ${maximum}`;
  if (isBound(minimum)) return `must be ${noun} of at least ${minimum}`;
  if (isBound(maximum)) return `must be ${noun} of at most ${maximum}`;
  return `must be ${noun}`;
};

const TYPES: Record<string, string> = {
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
};

const FORMATS: Record<string, string> = {
  datetime: 'an ISO 8601 date-time with seconds and offset',
  date: 'a date of the form YYYY-MM-DD that exists',
  url: 'a URL',
  uuid: 'a UUID',
};

const NUMERIC: ReadonlySet<string> = new Set(['number', 'int']);

const sizeRule = (origin: string, comparison: 'least' | 'most', size: number | bigint): string =>
  `must have at ${comparison} ${size} ${origin === 'string' ? 'characters' : 'items'}`;

const ruleOf = (issue: $ZodIssue, root: $ZodType): string => {
  if (issue.message) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return NUMERIC.has(issue.expected)
        ? numberRule(schemaAt(root, issue.path))
        : `must be ${TYPES[issue.expected] ?? 'of another type'}`;
    case 'too_small':
      return NUMERIC.has(issue.origin)
        ? numberRule(schemaAt(root, issue.path))
        : sizeRule(issue.origin, 'least', issue.minimum);
    case 'too_big':
      return NUMERIC.has(issue.origin)
        ? numberRule(schemaAt(root, issue.path))
        : sizeRule(issue.origin, 'most', issue.maximum);
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return `must be ${FORMATS[issue.format] ?? 'of another form'}`;
    default:
      return 'is not valid';
  }
};

const isMissing = (value: unknown, path: Path): boolean => {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return true;
    at = (at as Record<PropertyKey, unknown>)[part];
  }
  return at === undefined;
};

export interface IssueOptions {
  /** Position of the value in the body, e.g. `credentials` if a part has its own schema. */
  at?: Path;
  /** Noun for the whole value, for a rule that names no field. */
  noun?: string;
  /** For each unknown property, the name of the property that must contain it. */
  hints?: Readonly<Record<string, string>>;
}

const UNKNOWN = 'is not a known property';

/** Returns a sentence with the properties that the object at the path may have. */
const knownAt = (root: $ZodType, path: Path): string => {
  const schema = schemaAt(root, path);
  const names = Object.keys((schema && readDefinition(schema).shape) ?? {});
  return names.length === 0 ? '' : `. Known: ${names.join(', ')}`;
};

interface UnknownKeys {
  keys: readonly string[];
  path: Path;
}

/** Names every unknown property and the one that must contain it. The last one is followed by the known properties. */
const describeUnknown = (
  { keys, path }: UnknownKeys,
  root: $ZodType,
  hints: Readonly<Record<string, string>>,
): [path: Path, rule: string][] =>
  keys.map((key, at) => {
    const home = path.length === 0 && Object.hasOwn(hints, key) ? hints[key] : undefined;
    if (home !== undefined) return [[...path, key], `${UNKNOWN}: it belongs in ${home}`];
    return [[...path, key], `${UNKNOWN}${at === keys.length - 1 ? knownAt(root, path) : ''}`];
  });

const describe = (issue: $ZodIssue, root: $ZodType, value: unknown, judged: IssueOptions): string[] => {
  const { at = [], noun = 'body', hints = {} } = judged;
  const named = (path: Path, rule: string) => `${fieldName([...at, ...path]) || noun} ${rule}`;
  if (issue.code === 'unrecognized_keys')
    return describeUnknown(issue, root, hints).map(([path, rule]) => named(path, rule));
  if (issue.code === 'invalid_type' && issue.path.length > 0 && isMissing(value, issue.path))
    return [named(issue.path, 'is required')];
  return [named(issue.path, ruleOf(issue, root))];
};

export const describeIssues = (
  issues: readonly $ZodIssue[],
  root: $ZodType,
  value: unknown,
  judged: IssueOptions = {},
): string => {
  const texts = issues.flatMap((issue) => describe(issue, root, value, judged));
  return [...new Set(texts)].slice(0, ISSUES_MAX).join('; ');
};

/** Parses the value, or returns what is wrong and which property is concerned. */
export const judge = <S extends z.ZodType>(
  schema: S,
  value: unknown,
  judged: IssueOptions = {},
): { data: z.infer<S>; finding?: never } | { data?: never; finding: string; fields: string[] } => {
  const parsed = schema.safeParse(value, { error: () => '' });
  if (parsed.success) return { data: parsed.data };
  const { issues } = parsed.error;
  return {
    finding: describeIssues(issues, schema, value, judged),
    fields: issues.flatMap(({ path: [field] }) => (field === undefined ? [] : [String(field)])),
  };
};

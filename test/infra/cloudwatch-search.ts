/**
 * CloudWatch search expressions, as far as the dashboard uses them and as AWS documents them: a schema of namespace and
 * dimensions, with special names quoted; then terms, which must all match. A quoted term is a whole name, an unquoted
 * one a word.
 */
export interface SearchedMetric {
  namespace: string;
  name: string;
  dimensions: Readonly<Record<string, string>>;
}

interface Term {
  /** `MetricName`, a dimension, or null to search everywhere. */
  where: string | null;
  text: string;
  isWhole: boolean;
}

export interface Search {
  namespace: string;
  dimensions: string[];
  terms: Term[];
  statistic: string;
}

const EXPRESSION = /^SEARCH\('\{([^{}']+)\}((?: [^']+)?)', '(\w+)', (?:60|300|3600)\)$/;
const NAME = /^(?:"([^"]+)"|([A-Za-z0-9]+(?:\/[A-Za-z0-9]+)?))$/;
const TERM = /^(?:(\w+)=)?(?:"([^"]+)"|([A-Za-z0-9]+))$/;

/** @throws Error for an expression in another form */
export const parseSearch = (expression: string): Search => {
  const [, schema, rest, statistic] = EXPRESSION.exec(expression) ?? [];
  if (schema === undefined) throw new Error(`no search: ${expression}`);
  const names = schema.split(',').map((part) => {
    const [, quoted, bare] = NAME.exec(part) ?? [];
    if ((quoted ?? bare) === undefined) throw new Error(`must be quoted: ${part}`);
    return (quoted ?? bare)!;
  });
  const terms = (rest!.match(/(?:[^\s"]|"[^"]*")+/g) ?? []).map((part): Term => {
    const [, where = null, whole, word] = TERM.exec(part) ?? [];
    if ((whole ?? word) === undefined) throw new Error(`no term: ${part}`);
    return { where, text: (whole ?? word)!, isWhole: whole !== undefined };
  });
  return { namespace: names[0]!, dimensions: names.slice(1), terms, statistic: statistic! };
};

const wordsOf = (value: string): string[] => value.split(/[^A-Za-z0-9]+/).map((word) => word.toLowerCase());

const fits = ({ where, text, isWhole }: Term, { name, dimensions }: SearchedMetric): boolean => {
  const all: Record<string, string> = { MetricName: name, ...dimensions };
  const values = where === null ? Object.values(all) : [all[where] ?? ''];
  return values.some((value) => (isWhole ? value === text : wordsOf(value).includes(text.toLowerCase())));
};

export const isFound = ({ namespace, dimensions, terms }: Search, metric: SearchedMetric): boolean =>
  metric.namespace === namespace &&
  dimensions.toSorted().join() === Object.keys(metric.dimensions).toSorted().join() &&
  terms.every((term) => fits(term, metric));

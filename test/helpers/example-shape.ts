/** Checks whether an answer has the shape of the description's example: names and kinds of values, not the values. */
import { type Schema, schemaAt } from './description.ts';

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);

const keysOf = (value: unknown): string[] => Object.keys(value as object);

const differentKeys = (schema: Schema, example: unknown, answer: unknown, at: string): string[] => {
  const isOptional = (name: string): boolean => !(schema.required ?? []).includes(name);
  const isOpen = (schema.additionalProperties ?? false) !== false;
  const [shown, sent] = [keysOf(example), keysOf(answer)];
  return [
    ...shown
      .filter((name) => !sent.includes(name) && !(name in schema.properties! && isOptional(name)))
      .map((name) => `${at}.${name} is in the example alone`),
    // The example is the short form, without optional fields.
    ...sent
      .filter((name) => !shown.includes(name) && !isOpen && !(name in schema.properties! && isOptional(name)))
      .map((name) => `${at}.${name} is in the answer alone`),
  ];
};

/** Differences in words. Objects with undescribed keys (JSON Schemas, raw rows) are not compared. */
export const shapeFindings = (described: object, example: unknown, answer: unknown, at = ''): string[] => {
  const schema = schemaAt(described as Schema);
  const [shown, sent] = [kindOf(example), kindOf(answer)];
  if (shown === 'null' || sent === 'null') return [];
  if (shown !== sent) return [`${at} is ${sent}, in the example ${shown}`];
  if (sent === 'array') {
    const [first] = example as unknown[];
    if (first === undefined || !schema.items) return [];
    const found = (answer as unknown[]).flatMap((item, n) => shapeFindings(schema.items!, first, item, `${at}[${n}]`));
    return found.slice(0, 5);
  }
  if (sent !== 'object' || !schema.properties) return [];
  return [
    ...differentKeys(schema, example, answer, at),
    ...Object.entries(schema.properties).flatMap(([name, property]) => {
      const [one, other] = [example, answer].map((each) => (each as Record<string, unknown>)[name]);
      return one === undefined || other === undefined ? [] : shapeFindings(property, one, other, `${at}.${name}`);
    }),
  ];
};

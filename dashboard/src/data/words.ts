/** Texts for names that arrive as data: columns, codes and scopes. A name without a text stays as the API sends it. */
import { fieldTexts } from './field-texts.ts';
import { valueTexts } from './value-texts.ts';

type FieldKey = keyof typeof fieldTexts.es;
type ValueKey = keyof typeof valueTexts.es;

export const fieldWord = (name: string): string =>
  Object.hasOwn(fieldTexts.es, name) ? fieldTexts.say(name as FieldKey) : name;

const valueWord = (key: string): string | undefined =>
  Object.hasOwn(valueTexts.es, key) ? valueTexts.say(key as ValueKey) : undefined;

/**
 * Fields whose values are shown with their code, such as `33 Factura electrónica`, because accountants know document
 * types by their code.
 */
const coded: ReadonlySet<string> = new Set(['document_type']);

export const choiceWord = (field: string, value: string): string => {
  const word = valueWord(`${field.replace(/^referenced_/, '')}.${value}`);
  if (word === undefined) return value;
  return coded.has(field.replace(/^referenced_/, '')) ? `${value} ${word}` : word;
};

/** Returns the name of a scope. @param label the API's Spanish name */
export const scopeWord = (source: string, scope: string, label: string): string =>
  valueWord(`${source}.${scope}`) ?? label;

/** Returns the scopes with their names in the reader's language. The API's names are Spanish. */
export const nameScopes = <Scope extends { name: string; label: string }>(
  source: string,
  scopes: readonly Scope[],
): Scope[] => scopes.map((scope) => ({ ...scope, label: scopeWord(source, scope.name, scope.label) }));

export const partWord = (name: string): string => valueWord(`part.${name}`) ?? name;

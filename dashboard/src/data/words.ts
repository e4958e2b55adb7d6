/** Texts for names that arrive as data: columns, codes and scopes. A name without a text stays as the API sends it. */
import { fieldTexts } from './field-texts.ts';
import { valueTexts } from './value-texts.ts';

type FieldKey = keyof typeof fieldTexts.es;
type ValueKey = keyof typeof valueTexts.es;

/** @param source the source whose scopes use the name with another meaning than all others */
export const fieldWord = (name: string, source = ''): string => {
  const key = [`${source}.${name}`, name].find((each) => Object.hasOwn(fieldTexts.es, each));
  return key === undefined ? name : fieldTexts.say(key as FieldKey);
};

const valueWord = (key: string): string | undefined =>
  Object.hasOwn(valueTexts.es, key) ? valueTexts.say(key as ValueKey) : undefined;

/** @param scope the scope whose rows use the value with another meaning, such as a charge that is `issued` */
export const choiceWord = (field: string, value: string, scope = ''): string => {
  const name = `${field.replace(/^referenced_/, '')}.${value}`;
  return valueWord(`${scope}.${name}`) ?? valueWord(name) ?? value;
};

const TYPE = 'document_type.';

/** Codes of all document types that have a name. */
export const documentTypes = (): string[] =>
  Object.keys(valueTexts.es).flatMap((key) => (key.startsWith(TYPE) ? [key.slice(TYPE.length)] : []));

/** Returns the name of a currency; the unit of account is known by another name than its code. */
export const currencyWord = (code: string): string => (code === 'CLF' ? 'UF' : code);

/** Returns the name of a scope. @param label the API's Spanish name */
export const scopeWord = (source: string, scope: string, label: string): string =>
  valueWord(`${source}.${scope}`) ?? label;

/** Returns the scopes with their names in the reader's language. The API's names are Spanish. */
export const nameScopes = <Scope extends { name: string; label: string }>(
  source: string,
  scopes: readonly Scope[],
): Scope[] => scopes.map((scope) => ({ ...scope, label: scopeWord(source, scope.name, scope.label) }));

export const partWord = (name: string): string => valueWord(`part.${name}`) ?? name;

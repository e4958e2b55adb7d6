/** Names of the sources' fields in the reader's language. */
import { defineTexts } from '../text/define-texts.ts';
import { inEnglish } from '../text/language.ts';
import { findHint, hintTexts } from './hint-texts.ts';

export const fieldTexts = defineTexts(
  'form-field',
  {
    show: 'Mostrar u ocultar lo escrito',
    rut: 'RUT de quien inicia sesión',
    password: 'Clave',
    company_rut: 'RUT de la empresa',
    'metadata.company_rut': 'RUT con que aparece en la lista',
    company_name: 'Nombre de la empresa',
    reference: 'Tu referencia',
    client_id: 'Identificador de cliente',
    client_secret: 'Secreto de cliente',
    ticket: 'Ticket de la API de Mercado Público',
    from_period: 'Desde el mes',
    to_period: 'Hasta el mes',
    from: 'Publicadas desde',
    to: 'Publicadas hasta',
    codigos: 'Códigos de licitación',
  },
  {
    show: 'Show or hide what is typed',
    rut: 'RUT of the person who signs in',
    password: 'Password',
    company_rut: 'RUT of the company',
    'metadata.company_rut': 'RUT that the list shows',
    company_name: 'Company name',
    reference: 'Your reference',
    client_id: 'Client id',
    client_secret: 'Client secret',
    ticket: 'Ticket of the procurement API',
    from_period: 'From month',
    to_period: 'To month',
    from: 'Published from',
    to: 'Published until',
    codigos: 'Tender codes',
  },
);

type FieldTextKey = keyof typeof fieldTexts.es;
const isKnown = (key: string): key is FieldTextKey => key in fieldTexts.es;

/** The parts of a property's JSON Schema that describe its form field. */
export interface FieldSchema {
  title?: string | undefined;
  description?: string | undefined;
  format?: string | undefined;
}

/**
 * Returns the label and the help text of a field. Without a label in this file the label is the schema's title. The help
 * text is everything else that the schema says.
 * @param form such as `metadata`: a name may have another label in one form
 */
export const findLabel = (form: string, name: string, { title, description, format }: FieldSchema) => {
  const key = [`${form}.${name}`, name].find(isKnown);
  const label = key === undefined ? (title ?? name) : fieldTexts.say(key);
  if (format === 'password') return { label, help: hintTexts.say('secret') };
  const said = description ?? (isKnown(name) && title !== fieldTexts.en[name] ? title : undefined);
  // What a schema says itself is English.
  return { label, help: said === undefined ? undefined : (findHint(said) ?? inEnglish(said) ?? undefined) };
};

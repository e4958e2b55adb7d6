/** Names of the sources' fields in the reader's language. */
import { defineTexts } from '../text/define-texts.ts';
import { hintOf, hintTexts } from './hint-texts.ts';

export const fieldTexts = defineTexts(
  'form-field',
  {
    show: 'Mostrar u ocultar lo escrito',
    rut: 'RUT de quien inicia sesión',
    password: 'Clave',
    company_rut: 'RUT de la empresa',
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

type Key = keyof typeof fieldTexts.es;
const isKnown = (key: string): key is Key => key in fieldTexts.es;

/** Parts of a JSON Schema property that explain the field to a person. */
export interface FieldSchema {
  title?: string | undefined;
  description?: string | undefined;
  format?: string | undefined;
}

/** A name without a text keeps the schema's title; further text of the schema becomes help next to the field. */
export const labelOf = (name: string, { title, description, format }: FieldSchema) => {
  const label = isKnown(name) ? fieldTexts.say(name) : (title ?? name);
  if (format === 'password') return { label, help: hintTexts.say('secret') };
  // Our label replaces the title; a title with more information becomes the hint.
  const said = description ?? (isKnown(name) && title !== fieldTexts.en[name] ? title : undefined);
  return { label, help: said === undefined ? undefined : (hintOf(said) ?? said) };
};

/** Fields of the sources by their names, in the reader's words. */
import { defineTexts } from '../text/define-texts.ts';
import { findHint, hintTexts } from './hint-texts.ts';

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

type FieldTextKey = keyof typeof fieldTexts.es;
const isKnown = (key: string): key is FieldTextKey => key in fieldTexts.es;

/** Of a property of a JSON Schema, what tells a person what the field is for. */
export interface FieldSchema {
  title?: string | undefined;
  description?: string | undefined;
  format?: string | undefined;
}

/** A name that we have no words for keeps the schema's title; what the schema says more is told beside the field. */
export const findLabel = (name: string, { title, description, format }: FieldSchema) => {
  const label = isKnown(name) ? fieldTexts.say(name) : (title ?? name);
  if (format === 'password') return { label, help: hintTexts.say('secret') };
  // Our label stands for the title: what the title says more than it is the hint.
  const said = description ?? (isKnown(name) && title !== fieldTexts.en[name] ? title : undefined);
  return { label, help: said === undefined ? undefined : (findHint(said) ?? said) };
};

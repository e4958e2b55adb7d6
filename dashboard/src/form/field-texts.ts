/** Fields of the sources by their names, in the reader's words; one that is not known keeps the schema's own title. */
import { defineTexts } from '../text/define-texts.ts';

export const fieldTexts = defineTexts(
  'form-field',
  {
    show: 'Mostrar u ocultar lo escrito',
    rut: 'RUT de quien inicia sesión',
    'rut.help': 'El mismo con el que entras al sitio de la institución.',
    password: 'Clave',
    'password.help': 'Se guarda cifrada y nunca se vuelve a mostrar.',
    company_rut: 'RUT de la empresa',
    'company_rut.help': 'Si queda vacío, la empresa que la institución elige al entrar.',
    client_id: 'Identificador de cliente',
    client_secret: 'Secreto de cliente',
    'client_secret.help': 'Se guarda cifrado y nunca se vuelve a mostrar.',
    ticket: 'Ticket de la API de Mercado Público',
    'ticket.help': 'Se guarda cifrado y nunca se vuelve a mostrar.',
    from_period: 'Desde el mes',
    to_period: 'Hasta el mes',
    from: 'Publicadas desde',
    to: 'Publicadas hasta',
    'to.help': 'Como máximo 7 días en total.',
    codigos: 'Códigos de licitación',
    'codigos.help': 'Escribe un código y presiona Enter.',
  },
  {
    show: 'Show or hide what is typed',
    rut: 'RUT of the person who signs in',
    'rut.help': 'The one you use on the institution’s own site.',
    password: 'Password',
    'password.help': 'Stored encrypted and never shown again.',
    company_rut: 'RUT of the company',
    'company_rut.help': 'When empty, the company that the institution selects at sign-in.',
    client_id: 'Client id',
    client_secret: 'Client secret',
    'client_secret.help': 'Stored encrypted and never shown again.',
    ticket: 'Ticket of the procurement API',
    'ticket.help': 'Stored encrypted and never shown again.',
    from_period: 'From month',
    to_period: 'To month',
    from: 'Published from',
    to: 'Published until',
    'to.help': 'At most 7 days in all.',
    codigos: 'Tender codes',
    'codigos.help': 'Type a code and press Enter.',
  },
);

type Key = keyof typeof fieldTexts.es;
const isKnown = (key: string): key is Key => key in fieldTexts.es;

/** @param title and description, the schema's own: for a field that we have no words for */
export const labelOf = (name: string, title: string, description?: string) => {
  if (!isKnown(name)) return { label: title, help: description };
  const help = `${name}.help`;
  return { label: fieldTexts.say(name), help: isKnown(help) ? fieldTexts.say(help) : undefined };
};

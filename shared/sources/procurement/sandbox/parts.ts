/** Files, questions and offers of a tender. */

import type { Random } from '../../sandbox-kit/random.ts';
import { type Local, local } from './clock.ts';
import { supplier } from './parties.ts';

export interface FileModel {
  nombre: string;
  tipo: string;
  descripcion: string;
  kb: number;
  fecha: Local;
}

export interface QuestionModel {
  id: number;
  numero: number;
  pregunta: string;
  fecha: Local;
  respuesta: { id: number; texto: string; fecha: Local } | null;
}

export interface OfferModel {
  rut: string;
  proveedor: string;
  nombre: string;
  /** Exact decimal number as text. */
  total: string;
  estado: string;
  documentos: { administrativo: FileModel[]; tecnico: FileModel[]; economico: FileModel[] };
}

const FILES = [
  ['Bases administrativas', 'Anexos Administrativos de Adquisición', 'pdf'],
  ['Anexo N°1 Identificación del oferente', 'Anexos Administrativos de Adquisición', 'docx'],
  ['Especificación técnica', 'Anexos Técnicos', 'pdf'],
  ['Planilla económica "año"', 'Anexos Económicos', 'xlsx'],
  ['Plano señalética', 'Anexos Técnicos', 'dwg'],
  ['Trazado de la ruta', 'Anexos Técnicos', 'kml'],
] as const;

/**
 * Largest size of a file. Some files are large, but all files together must be small enough for every test and the
 * demo.
 */
const LARGEST_KB = 1_000;
const kbOf = (random: number): number => (random > LARGEST_KB - 25 ? random : 2 + (random % 47));

/**
 * Generates the files of a listing. The last two files of a longer listing show exactly the same data, and must still
 * become two documents.
 */
export const filesFor = (random: Random, count: number, published: Local): FileModel[] =>
  Array.from({ length: count }, (_, i) => {
    const n = count > 3 && i === count - 1 ? i - 1 : i;
    const [name, tipo, extension] = FILES[n % FILES.length]!;
    const descripcion = n % 4 === 3 ? '' : `Documento ${n + 1} & anexo`;
    const kb = i === n ? kbOf(random.int(0, LARGEST_KB)) : 7;
    return { nombre: `${name} ${n + 1}.${extension}`, tipo, descripcion, kb, fecha: published };
  });

/**
 * Largest number of questions of a tender. Ids of questions and answers are unique over all tenders, as in the forum.
 */
export const QUESTIONS_MAX = 10_000;

const ASKED = ['¿Se acepta bodega de 380 m2?', '¿Hay visita a terreno?', '¿El plazo es < 30 días\r\ny > 10 días?'];
const SAID = ['No, el mínimo es 400 m2.', 'Sí, es obligatoria.', 'Ver bases, N&deg; 4 &amp; 5.'];

export const questionsFor = (
  random: Random,
  first: number,
  count: number,
  { asked, answered }: Record<'asked' | 'answered', string>,
): QuestionModel[] =>
  Array.from({ length: count }, (_, i) => ({
    id: first + i,
    numero: i + 1,
    pregunta: random.pick(ASKED),
    fecha: local(asked, `0${random.int(1, 9)}:15:52`),
    respuesta:
      random.int(0, 4) === 0
        ? null
        : { id: first + QUESTIONS_MAX + i, texto: random.pick(SAID), fecha: local(answered, '17:40:03') },
  }));

/**
 * Returns the count, but 7 instead of 6, because after exactly one full page (6 files) a client cannot know whether
 * another page follows.
 */
const notAPage = (count: number): number => (count === 6 ? 7 : count);

/** Generates the offers of a tender. Every third supplier submits a second offer. */
export const offersFor = (random: Random, count: number, moneda: string, closing: string): OfferModel[] => {
  const offers: OfferModel[] = [];
  for (let n = 0; offers.length < count; n++) {
    const { rut, name } = supplier(random, n);
    for (let own = 1; own <= (n % 3 === 2 ? 2 : 1) && offers.length < count; own++) {
      const whole = random.int(900_000, 88_000_000);
      const files = (max: number) => filesFor(random, notAPage(random.int(0, max)), local(closing, '11:20:00'));
      offers.push({
        rut,
        proveedor: name,
        nombre: own === 1 ? 'Oferta principal' : `Oferta alternativa ${own}`,
        total: moneda === 'CLP' ? String(whole) : `${Math.floor(whole / 1_000)}.50`,
        estado: random.pick(['Aceptada', 'Aceptada', 'Rechazada']),
        documentos: { administrativo: files(3), tecnico: files(8), economico: files(2) },
      });
    }
  }
  return offers;
};

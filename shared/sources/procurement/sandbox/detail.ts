/** Answers of the API on the wire (procurement.md §2.2 to §2.4). */

import { addDays } from '../../sandbox-kit/calendar.ts';
import { withChangedKeys } from '../../sandbox-kit/lies.ts';
import { createRandom } from '../../sandbox-kit/random.ts';
import type { Behaviour } from './behaviour.ts';
import { type Local, local } from './clock.ts';
import { dotted } from './parties.ts';
import { deriveState, type TenderModel } from './tender.ts';

const STATES: Readonly<Record<number, string>> = {
  5: 'Publicada',
  6: 'Cerrada',
  7: 'Desierta (o art. 3 ó 9 Ley 19.886)',
  8: 'Adjudicada',
  18: 'Revocada',
  19: 'Suspendida',
};
export const stateName = (code: number): string => STATES[code] ?? '';

const NAME_CHARS = 50;
/** Days between the administrative act and the award. */
const ACT_DAYS = 6;

/** Marks a number that the answer must write with `.0`, as the portal does. */
const MARK = '@decimal@';
const decimal = (amount: string | null): string | null =>
  amount === null ? null : `${MARK}${amount.includes('.') ? amount : `${amount}.0`}`;

export const written = (value: unknown): string =>
  JSON.stringify(value).replaceAll(new RegExp(`"${MARK}(-?[\\d.]+)"`, 'g'), '$1');

export const envelope = (list: readonly unknown[], nowMs: number) => ({
  Cantidad: list.length,
  FechaCreacion: new Date(nowMs).toISOString().replace('Z', '4567Z'),
  Version: 'v1',
  Listado: list,
});

export const listItem = (tender: TenderModel, nowMs: number) => ({
  CodigoExterno: tender.codigo,
  Nombre: tender.nombre.slice(0, NAME_CHARS),
  CodigoEstado: deriveState(tender, nowMs),
  FechaCierre: tender.cierre,
});

export const detailItem = (tender: TenderModel, nowMs: number) => {
  const state = deriveState(tender, nowMs);
  const { buyer } = tender;
  const fractions = createRandom(`fractions|${tender.codigo}`);
  const dated = (moment: Local) => `${moment}${fractions.pick(['', '', '.27', '.1234567', '.000'])}`;
  const isAwarded = state === 8 || state === 7;
  return {
    CodigoExterno: tender.codigo,
    Nombre: tender.nombre,
    CodigoEstado: state,
    Descripcion: tender.descripcion,
    FechaCierre: null,
    Estado: stateName(state),
    Comprador: {
      CodigoOrganismo: '9901',
      NombreOrganismo: buyer.organismo,
      RutUnidad: dotted(buyer.rut),
      CodigoUnidad: String(tender.unit),
      NombreUnidad: buyer.unidad,
      DireccionUnidad: buyer.direccion,
      ComunaUnidad: buyer.comuna,
      RegionUnidad: buyer.region,
      RutUsuario: '',
      CodigoUsuario: '500001',
      NombreUsuario: 'Persona Ficticia',
      CargoUsuario: 'Comprador',
    },
    DiasCierreLicitacion: '15',
    Informada: 0,
    CodigoTipo: 1,
    Tipo: tender.tipo,
    TipoConvocatoria: '1',
    Moneda: tender.moneda,
    Etapas: 1,
    EstadoEtapas: '0',
    TomaRazon: '0',
    EstadoPublicidadOfertas: 1,
    JustificacionPublicidad: '',
    Contrato: '1',
    Obras: '0',
    CantidadReclamos: 7,
    Fechas: {
      FechaCreacion: tender.publicacion,
      FechaCierre: tender.cierre,
      FechaInicio: tender.inicioPreguntas,
      FechaFinal: tender.finPreguntas,
      FechaPubRespuestas: dated(tender.respuestas),
      FechaActoAperturaTecnica: tender.apertura,
      FechaActoAperturaEconomica: tender.apertura,
      FechaPublicacion: dated(tender.publicacion),
      FechaAdjudicacion: tender.adjudicacion,
      FechaEstimadaAdjudicacion: tender.adjudicacion,
      FechaSoporteFisico: null,
      FechaTiempoEvaluacion: null,
      FechaEstimadaFirma: null,
      FechasUsuario: '1900-01-03T00:00:00',
      FechaVisitaTerreno: null,
      FechaEntregaAntecedentes: null,
    },
    UnidadTiempoEvaluacion: 1,
    DireccionVisita: '',
    DireccionEntrega: '',
    Estimacion: 1,
    FuenteFinanciamiento: '',
    VisibilidadMonto: tender.monto === null ? 0 : 1,
    MontoEstimado: decimal(tender.monto),
    Tiempo: null,
    UnidadTiempo: '4',
    Modalidad: 1,
    TipoPago: '1',
    TipoDuracionContrato: ' ',
    CodigoBIP: null,
    Adjudicacion: isAwarded
      ? {
          Tipo: 2,
          // The administrative act is older than the award and has no time of day.
          Fecha: local(addDays(tender.adjudicacion.slice(0, 10), -ACT_DAYS), '00:00:00'),
          Numero: '4471',
          NumeroOferentes: tender.ofertas.length,
          UrlActa: 'http://www.mercadopublico.cl/Procurement/Modules/RFB/StepsProcessAward/PreviewAwardAct.aspx?qs=x',
        }
      : null,
    Items: {
      Cantidad: 1,
      Listado: [
        {
          Correlativo: 1,
          CodigoProducto: 78131600,
          CodigoCategoria: '78131600',
          Categoria: 'Almacenaje',
          NombreProducto: 'Bodegaje',
          Descripcion: 'Bodega 400 m2',
          UnidadMedida: 'Mes',
          Cantidad: decimal('12'),
          Adjudicacion: null,
        },
      ],
    },
  };
};

/** Changes a detail as the credential's behaviour says. */
export const spoiled = (item: ReturnType<typeof detailItem>, behaviour: Behaviour): unknown => {
  const { FechaCierre: _, ...dates } = item.Fechas;
  switch (behaviour) {
    case 'missing_field':
      return { ...item, Fechas: dates };
    case 'malformed_row':
      return { ...item, Fechas: { ...item.Fechas, FechaPublicacion: '2026-02-31T10:00:00' } };
    case 'changed_page':
      return withChangedKeys(item);
    case 'other_tender':
      return { ...item, CodigoExterno: '1509-5-L114' };
    case 'unknown_fields':
      return { ...item, CampoNuevo: { version: 2 }, Fechas: { ...item.Fechas, FechaNueva: 'mañana' } };
    default:
      return item;
  }
};

/** Guides as the app of issued and received documents writes them (tax.md §7.2, §7.3). */
import { splitRut } from '#shared/values/rut.ts';
import { type Doc, TYPE_NAMES } from './document.ts';
import type { Guide, GuideSide } from './guias.ts';

const NULL_KEYS =
  'rutEmisor dvEmisor rznSocEmisor codigoTipoDoc descTipoDoc periodo totalReparos totOtrosImp rutFirmante dvFirmante idEnvio dhdrEmiCorreo dhdrEmiTelefono1 dehOrdenEventoPublicar diasDiferenciaFchVencimiento esPublicable leyendaNoPub diasDifFchRecep fechaVencimiento fechaRecepcionMas9Dias dpuEliminacion difFchPublicacion difFchEliminacion pub despub estadoPub dpuFchPublicacion derrCodigo derrDescripcion datosExpA datosExpB1 datosExpB dtimCodigo'.split(
    ' ',
  );
const NULLS = Object.fromEntries(NULL_KEYS.map((key) => [key, null]));

/** `*Receptor` is the other party, also for received guides (§7.3). */
export const guideRow = (guide: Guide): Record<string, unknown> => {
  const { body, checkDigit } = splitRut(guide.rut);
  return {
    ...NULLS,
    rutReceptor: Number(body),
    dvReceptor: checkDigit,
    rznSocRecep: guide.name,
    folio: guide.folio,
    fechaEmision: guide.issued,
    fechaEmisionA: guide.issued.split('/').toReversed().join('/'),
    fechaRecepcion: guide.received,
    mntNeto: guide.net,
    mntExento: guide.exempt,
    mntIva: guide.vat,
    mntTotal: guide.total,
    tasaImptoIVA: 19,
    dehOrdenEvento: guide.event.order,
    dehDescripcion: guide.event.text,
    dhdrCodigo: guide.id,
  };
};

export const sumItems = <Item>(items: readonly Item[], amount: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + amount(item), 0);

interface GuideOwner {
  company: string;
  /** YYYY-MM */
  period: string;
}

const totalRow = (
  { company, period }: GuideOwner,
  type: number,
  seccion: string,
  items: readonly Pick<Doc, 'net' | 'exempt' | 'vat' | 'total'>[],
) => {
  const { body, checkDigit } = splitRut(company);
  return {
    tipoDoc: type,
    tipoDocDesc: type === 52 ? 'Guia de Despacho Electronica' : (TYPE_NAMES[type] ?? 'Documento'),
    totalDoc: items.length,
    mntExento: sumItems(items, ({ exempt }) => exempt),
    mntNeto: sumItems(items, ({ net }) => net),
    mntIVA: sumItems(items, ({ vat }) => vat),
    mntTotal: sumItems(items, ({ total }) => total),
    seccion,
    periodo: period,
    rut: Number(body),
    dv: checkDigit,
    refNCD: 0,
    totalDocNCD: 0,
  };
};

/** Returns the section of a document type: purchase invoices and exports have their own sections (§7.2). */
const sectionOf = (type: number): string => (type === 46 ? 'S2' : type === 110 ? 'S4' : 'S1');

export const summaryRows = (owner: GuideOwner, side: GuideSide, guides: readonly Guide[], docs: readonly Doc[]) => {
  const operation = side === 'issued' ? 'VENTA' : 'COMPRA';
  const types = [...Map.groupBy(docs, ({ type }) => type)].map(([type, list]) =>
    totalRow(
      owner,
      type,
      sectionOf(type),
      list.filter((doc) => doc.operation === operation),
    ),
  );
  const sections = [...Map.groupBy(guides, ({ section }) => section)].map(([section, list]) =>
    totalRow(owner, 52, section, list),
  );
  return [...types, ...sections].filter(({ totalDoc }) => totalDoc > 0);
};

/** The ficha (procurement.md §3.1). Small tenders begin at section 3; padding gives the page a plausible size. */
import { onFicha } from './clock.ts';
import { stateName } from './detail.ts';
import { escaped, page, span } from './html.ts';
import { dotted } from './parties.ts';
import type { State } from './state.ts';
import { deriveState, type TenderModel } from './tender.ts';

const CURRENCIES: Readonly<Record<string, string>> = {
  CLP: 'Peso Chileno',
  USD: 'Dolar Americano',
  CLF: 'Unidad de Fomento',
  UTM: 'Unidad Tributaria Mensual',
};

const NO_DATA = 'No hay información';

/** Writes `1234567.50` as `1.234.567,50`. */
export const shownAmount = (amount: string): string => {
  const [whole = '', cents] = amount.split('.');
  return `${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, '.')}${cents === undefined ? '' : `,${cents}`}`;
};

const popUp = (target: string): string =>
  escaped(`window.open('${target}','MercadoPublico','width=850');return false;`);

export const EMPTY_FICHA = page('Ficha Licitación', '<div id="principal">La licitación no existe</div>');

const section = (n: number, title: string, content: string): string =>
  `<div id="Ficha${n}">${span(`lblTitulo${n}`, `${n}. ${title}`)}${content}</div>`;

const labels = (entries: Readonly<Record<string, string>>): string =>
  Object.entries(entries)
    .map(([id, text]) => `<div class="row">${span(id, text)}</div>`)
    .join('\n');

const buttons = (tender: TenderModel, state: State, isOpened: boolean): string => {
  const { link } = state.tokens;
  const { codigo } = tender;
  const anexo = `../Attachment/ViewAttachment.aspx?enc=${link({ kind: 'anexo', codigo })}`;
  const opening = `/Procurement/Modules/RFB/StepsProcessAward/OpeningFrame.aspx?enc=${link({ kind: 'apertura', codigo })}`;
  const forum = `/Foros/Modules/FNormal/PopUps/PublicView.aspx?qs=${link({ kind: 'ficha', codigo })}`;
  const terms = `<input type="image" name="descargar_pdf_baseFirmada" id="descargar_pdf_baseFirmada" onclick="${escaped("__doPostBack('descargar_pdf_baseFirmada','')")}" />`;
  return [
    `<input type="image" id="imgAdjuntos" onclick="${popUp(anexo)}"${tender.anexos.length > 0 ? '' : ' disabled="disabled"'} />`,
    `<input type="image" id="imgPreguntasLicitacion" onclick="${popUp(forum)}" />`,
    `<input type="image" id="imgCuadroOferta" href="${escaped(opening)}"${isOpened ? '' : ' disabled="disabled"'} />`,
    `<input type="hidden" name="h_intRBFCode" id="h_intRBFCode" value="${Number(codigo.split('-')[1]) + 4_000_000}" />`,
    tender.hasTerms ? terms : '',
  ].join('\n');
};

/** Shows two items, and a third item that leads to the listing of the first item. */
const items = (tender: TenderModel, state: State): string => {
  if (tender.antecedentes.length === 0) return '';
  const to = (item: number) =>
    `../Attachment/VerAntecedentes.aspx?enc=${state.tokens.link({ kind: 'antecedente', codigo: tender.codigo, item })}`;
  return [0, 1]
    .map(
      (item) =>
        `<tr><td>${span(`grvProducto_ctl0${item + 2}_lblProducto`, 'Bodegaje')}</td><td><a href="${escaped(to(item))}">Ver anexos</a></td></tr>`,
    )
    .join('\n');
};

export const fichaPage = (tender: TenderModel, state: State, visitor: string, shownCode: string): string => {
  const nowMs = state.now();
  const code = deriveState(tender, nowMs);
  const isOpened = code !== 5;
  const { buyer } = tender;
  const entry = state.byUnit.get(tender.unit);
  const isSmall = tender.tipo === 'L1';
  const first = labels({
    lblFicha1Nombre: tender.nombre,
    lblFicha1Estado: stateName(code),
    lblFicha1Descripcion: tender.descripcion,
    lblFicha1Tipo: `Pública-Licitación Pública (${tender.tipo})`,
    lblFicha1Convocatoria: 'ABIERTO',
    lblFicha1Moneda: CURRENCIES[tender.moneda] ?? tender.moneda,
    lblFicha1Etapas: 'Una etapa',
  });
  const second = labels({
    lnkFicha2Razon: buyer.organismo,
    lblFicha2Unidad: buyer.unidad,
    lblFicha2RUT: dotted(buyer.rut),
    lblFicha2Direccion: buyer.direccion,
    lblFicha2Comuna: buyer.comuna,
    lblFicha2Region: buyer.region,
    lblFicha2Reclamo: '7',
  });
  const third = labels({
    lblFicha3Cierre: onFicha(tender.cierre),
    lblFicha3Publicacion: onFicha(tender.publicacion),
    lblFicha3Inicio: onFicha(tender.inicioPreguntas),
    lblFicha3Fin: onFicha(tender.finPreguntas),
    lblFicha3PublicacionRespuestas: onFicha(tender.respuestas),
    lblFicha3ActoAperturaTecnica: onFicha(tender.apertura),
    lblFicha3ActoAperturaEconomica: onFicha(tender.apertura),
    lblFicha3Adjudicacion: onFicha(tender.adjudicacion),
    lblFicha3SoporteFisico: NO_DATA,
    ...(entry?.behaviour === 'unknown_fields' ? { lblFicha3Nueva: 'mañana' } : {}),
  });
  const money = labels({ lblFicha7MontoEstimado: tender.monto === null ? NO_DATA : shownAmount(tender.monto) });
  const body = [
    labels({ lblNumLicitacion: shownCode, lblNombreLicitacion: tender.nombre }),
    buttons(tender, state, isOpened),
    ...(isSmall
      ? []
      : [section(1, 'Características de la licitación', first), section(2, 'Organismo demandante', second)]),
    section(3, 'Etapas y plazos', third),
    section(4, 'Productos', `<table id="grvProducto">${items(tender, state)}</table>`),
    section(7, 'Montos y duración del contrato', money),
  ].join('\n');
  const action = `./DetailsAcquisition.aspx?qs=${state.tokens.link({ kind: 'ficha', codigo: tender.codigo })}`;
  const viewState = state.tokens.viewState({ kind: 'ficha', codigo: tender.codigo, page: 1, visitor });
  return page('Ficha Licitación', body, { action, viewState });
};

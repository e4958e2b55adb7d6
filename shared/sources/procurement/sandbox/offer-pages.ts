/** Opening frame, header and summary of offers: 10 offers per page, nested tables (procurement.md §3.4). */
import type { Behaviour } from './behaviour.ts';
import { shownAmount } from './ficha-page.ts';
import { escaped, page, span } from './html.ts';
import { ctl } from './listing-pages.ts';
import { dotted } from './parties.ts';
import type { OfferModel } from './parts.ts';
import type { LinkTarget, LinkTokens } from './tokens.ts';

export const OFFERS_PER_PAGE = 10;

export const framePage = (headerToken: string): string =>
  `<html><frameset rows="120,*"><frame name="Encabezado" src="OpeningHeader.aspx?enc=${headerToken}"><frame name="Cuerpo"></frameset></html>`;

export const headerPage = (summaryToken: string): string =>
  page(
    'Apertura',
    `<script>function abrir(){parent.Cuerpo.location='SupplySummary.aspx?enc=${summaryToken}';}</script>`,
  );

const SIGNS: Readonly<Record<string, string>> = { CLP: '$', USD: 'US$', CLF: 'UF', UTM: 'UTM' };

export interface OffersView {
  offers: readonly OfferModel[];
  page: number;
  codigo: string;
  moneda: string;
  action: string;
  viewState: string;
  behaviour: Behaviour;
  link: LinkTokens['link'];
}

const BUTTONS = {
  administrativo: '__GvImgbAdministrativeAttachment',
  tecnico: '__GvImgbTechnicalAttachment',
  economico: '__GvImgbEconomicAttachment',
} as const;

const offerRow = (view: OffersView, offer: OfferModel, at: number, index: number): string => {
  const control = `grdSupplies_${ctl(at)}`;
  const { rut, proveedor, nombre, total, estado, documentos } = offer;
  const amount =
    view.behaviour === 'malformed_row' ? 'cuarenta millones' : `${SIGNS[view.moneda]} ${shownAmount(total)}`;
  const buttons = (Object.keys(BUTTONS) as (keyof typeof BUTTONS)[]).map((boton) => {
    const target: LinkTarget = { kind: 'oferta', codigo: view.codigo, offer: index, boton };
    const url = `/BID/Modules/POPUPS/ViewBidAttachment.aspx?enc=${view.link(target)}`;
    const off = documentos[boton].length === 0 ? ' disabled="disabled"' : '';
    return `<input type="image" id="${control}${BUTTONS[boton]}" onclick="${escaped(`openPopUp('${url}')`)}"${off} />`;
  });
  const supplier = `<a id="${control}__GvLblProvider" href="#">${escaped(proveedor)}</a>`;
  const shown = view.behaviour === 'missing_field' ? '' : span(`${control}_TotalOferta`, amount);
  return `<tr class="cssFwkItemStyle"><td>${span(`${control}__GvLblRutProvider`, dotted(rut))}</td><td>${supplier}</td>
<td>${span(`${control}__GvLblSuppliesName`, nombre)}</td><td>${shown}</td>
<td>${span(`${control}_EstadoOferta`, estado)}</td>
<td><table><tr><td>${buttons.join('</td><td>')}</td></tr><tr><td><input type="image" id="${control}__GvImgFirma" onclick="${escaped(`ver_declaracion('${dotted(rut)}','${view.codigo}')`)}" /></td></tr></table></td></tr>`;
};

export const summaryPage = (view: OffersView): string => {
  const { offers, page: n } = view;
  const first = (n - 1) * OFFERS_PER_PAGE;
  const rows = offers
    .slice(first, first + OFFERS_PER_PAGE)
    .map((offer, at) => offerRow(view, offer, at, first + at))
    .join('\n');
  const pages = Math.ceil(offers.length / OFFERS_PER_PAGE);
  const links = Array.from(
    { length: pages },
    (_, i) => `<div onclick="${escaped(`fnMovePage(${i + 1},"WucPagerGrid")`)}">${i + 1}</div>`,
  );
  const body = `<table id="grdSupplies"><tr><th>Rut proveedor</th></tr>${rows}</table>
<table id="WucPagerGrid__TblPages"><tr><td>${links.join('</td><td>')}</td></tr></table>`;
  return page('Resumen de ofertas', offers.length === 0 ? '' : body, {
    action: view.action,
    viewState: view.viewState,
    hidden: {
      WucPagerGrid$hidIndex: String(n - 1),
      WucPagerGrid$hidCountRows: String(offers.length),
      WucPagerGrid$hidMaxRowCount: String(OFFERS_PER_PAGE),
      WucPagerGrid$hidSort: '',
    },
  });
};

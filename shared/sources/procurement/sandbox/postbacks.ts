/**
 * Listings and the postbacks of their forms: another page, or a file. A request without the fields of the page gets the
 * answer of an ended session.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HTML_TYPE } from '../../sandbox-kit/answers.ts';
import { ERROR_PAGE } from '../../sandbox-kit/lies.ts';
import type { Behaviour } from './behaviour.ts';
import { fileBytes, termsBytes } from './file-bytes.ts';
import { EXPIRED, isOwnForm } from './html.ts';
import { antecedentesPage, attachmentPage, ctl, FILES_PER_PAGE } from './listing-pages.ts';
import { OFFERS_PER_PAGE, summaryPage } from './offer-pages.ts';
import type { FileModel } from './parts.ts';
import type { State } from './state.ts';
import type { TenderModel } from './tender.ts';
import type { LinkTarget, ViewState } from './tokens.ts';

const behaviourOf = (state: State, tender: TenderModel) => state.byUnit.get(tender.unit)?.behaviour ?? 'works';

/** The visitor of a page, and the address to which its form posts. */
interface PostbackVisit {
  visitor: string;
  action: string;
}

const filesOf = (tender: TenderModel, { kind, offer, boton }: LinkTarget): readonly FileModel[] => {
  if (kind === 'anexo') return tender.anexos;
  if (kind === 'antecedente') return tender.antecedentes;
  return (boton && tender.ofertas[offer ?? -1]?.documentos[boton]) || [];
};

export const writeListing = (
  state: State,
  target: LinkTarget,
  n: number,
  { visitor, action }: PostbackVisit,
): string => {
  const tender = state.tender(target.codigo);
  if (!tender) return EXPIRED;
  const viewState = state.tokens.viewState({ ...target, page: n, visitor });
  const common = { page: n, action, viewState, behaviour: behaviourOf(state, tender) };
  if (target.kind === 'cuadro') {
    const { codigo, moneda } = tender;
    return summaryPage({ ...common, offers: tender.ofertas, codigo, moneda, link: state.tokens.link });
  }
  const files = filesOf(tender, target);
  return target.kind === 'antecedente' ? antecedentesPage({ ...common, files }) : attachmentPage({ ...common, files });
};

/**
 * Returns the view state of a request. All posted fields must be from one page, and the visitor must be the visitor to
 * whom this page was shown.
 */
const stateIn = (request: FastifyRequest, state: State, fields: Record<string, string>): ViewState | undefined => {
  const visitor = /ASP\.NET_SessionId=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
  const found = state.tokens.findState(fields.__VIEWSTATE ?? '');
  return isOwnForm(fields) && found?.visitor === visitor ? found : undefined;
};

const PRESSED = /(?:DWNL\$grdId|grdAttachment)\$(ctl\d{2})\$(?:search|grdIbtnView)\.x$/;

export const postback = (
  request: FastifyRequest,
  reply: FastifyReply,
  state: State,
  target: LinkTarget,
): FastifyReply => {
  const fields = request.body as Record<string, string>;
  const shown = stateIn(request, state, fields);
  const tender = shown && state.tender(shown.codigo);
  if (!shown || !tender || shown.kind !== target.kind) return reply.type(HTML_TYPE).send(EXPIRED);
  const behaviour = behaviourOf(state, tender);
  const isFirst = !state.expired.has(String(tender.unit));
  if (behaviour === 'session_expires' && isFirst) {
    state.expired.set(String(tender.unit), true);
    return reply.type(HTML_TYPE).send(EXPIRED);
  }
  const isTerms = shown.kind === 'ficha' && fields.__EVENTTARGET === 'descargar_pdf_baseFirmada';
  const pressed = Object.entries(fields).find(([name]) => PRESSED.test(name))?.[0];
  if ((pressed !== undefined || isTerms) && behaviour === 'stale_files') return reply.type(HTML_TYPE).send(EXPIRED);
  if (isTerms) return sendFile(reply, 'Bases técnicas.pdf', termsBytes(tender.codigo), behaviour);
  if (pressed === undefined) return turnedPage(request, reply, state, shown);
  const file = pressedFile(tender, shown, fields, pressed);
  if (!file) return reply.type(HTML_TYPE).send(EXPIRED);
  return sendFile(reply, file.nombre, fileBytes(tender.codigo, file, shown.kind), behaviour);
};

/**
 * Returns the file at the button's position on the page that was shown. On another page the same button selects another
 * file (§3.2).
 */
const pressedFile = (
  tender: TenderModel,
  shown: ViewState,
  fields: Record<string, string>,
  pressed: string,
): FileModel | undefined => {
  const control = PRESSED.exec(pressed)?.[1];
  const files = filesOf(tender, shown).slice((shown.page - 1) * FILES_PER_PAGE, shown.page * FILES_PER_PAGE);
  return fields[pressed.replace(/x$/, 'y')] === undefined ? undefined : files.find((_, at) => ctl(at) === control);
};

/** Returns wrong content for a file: empty for half of the files, an error page for the other half. */
const junkFor = ({ length }: Buffer): Buffer => Buffer.from((length / 1_024) % 2 === 0 ? '' : ERROR_PAGE);

/** Sends a file. Accented letters of its name are mangled, as on the portal (§3.2). */
const sendFile = (reply: FastifyReply, name: string, bytes: Buffer, behaviour: Behaviour): FastifyReply =>
  reply
    .type('application/octet-stream')
    .header('content-disposition', `attachment; filename="${name.replaceAll(/[^\x20-\x7e]|"/g, '?')}"`)
    .send(behaviour === 'junk_file' ? junkFor(bytes) : bytes);

const turnedPage = (request: FastifyRequest, reply: FastifyReply, state: State, shown: ViewState): FastifyReply => {
  const tables: Readonly<Record<string, string>> = { DWNL$grdId: 'DWNL', grdAttachment: 'grd' };
  const { __EVENTTARGET: on = '', __EVENTARGUMENT: to = '' } = request.body as Record<string, string>;
  const isOffers = shown.kind === 'cuadro' && on === 'WucPagerGrid$btn_GoToPage';
  const n = Number(isOffers ? to : on in tables ? /^Page\$(\d+)$/.exec(to)?.[1] : Number.NaN);
  const tender = state.tender(shown.codigo)!;
  const rows = isOffers ? tender.ofertas.length : filesOf(tender, shown).length;
  const pages = Math.ceil(rows / (isOffers ? OFFERS_PER_PAGE : FILES_PER_PAGE));
  if (!Number.isInteger(n) || n < 1 || n > pages) return reply.type(HTML_TYPE).send(EXPIRED);
  const { page: _, visitor, ...target } = shown;
  return reply.type(HTML_TYPE).send(writeListing(state, target, n, { visitor, action: request.url }));
};

/** Addresses and constants of the portal (procurement.md §2.1, §3). */
import { manifest } from './manifest.ts';

const { api, web } = manifest.hosts;

export const TENDERS_URL = `${api}/servicios/v1/publico/licitaciones.json`;
/**
 * A tender code in the portal's format that no tender has. A request with this code shows whether the ticket is
 * accepted, and costs one call.
 */
export const PROBE_CODIGO = '0-0-LE00';

export const FICHA_URL = `${web}/Procurement/Modules/RFB/DetailsAcquisition.aspx`;
export const OPENING_URL = `${web}/Procurement/Modules/RFB/StepsProcessAward/OpeningFrame.aspx`;
export const ATTACHMENT_URL = `${web}/Procurement/Modules/Attachment/ViewAttachment.aspx`;
export const ANTECEDENTES_URL = `${web}/Procurement/Modules/Attachment/VerAntecedentes.aspx`;
export const BID_URL = `${web}/BID/Modules/POPUPS/ViewBidAttachment.aspx`;
export const QUESTIONS_URL = `${web}/Foros/Modules/FNormal/servicesPub.aspx`;

/** Path to which the portal redirects automated clients (§3.2, §3.7). */
export const GATE_PATH = /\/403\.html?$/i;
export const SESSION_ENDED = /sesi(?:o|ó|&oacute;)n\s+expirada/i;

/** Maps the origin of an offer's files (§5) to the id of the button that lists these files (§3.4). */
export const BID_BUTTONS = {
  administrativo: '__GvImgbAdministrativeAttachment',
  tecnico: '__GvImgbTechnicalAttachment',
  economico: '__GvImgbEconomicAttachment',
} as const;
export type BidButton = keyof typeof BID_BUTTONS;

/**
 * Every operation, written by hand from service.md "Endpoints" and decisions.md §2: who may call it, and what a
 * permitted caller gets for unknown ids and for ids of another organization. An operation without an entry fails.
 */
import type { Auth } from '#shared/http/contract.ts';
import type { ErrorCode } from '#shared/http/response/errors.ts';

type Elsewhere = readonly [status: number, code?: ErrorCode];

const CONNECTION: Elsewhere = [404, 'connection_not_found'];
const WEBHOOK: Elsewhere = [404, 'webhook_endpoint_not_found'];
const LINK: Elsewhere = [404, 'connect_link_not_found'];
const TENDER: Elsewhere = [404, 'licitacion_not_found'];
const ALL_OF_HIS: Elsewhere = [200];
const MADE: Elsewhere = [201];

export const WHO_MAY_CALL: Readonly<Record<string, readonly [Auth, Elsewhere]>> = {
  listExternalSources: ['public', ALL_OF_HIS],
  getOpenapi: ['public', ALL_OF_HIS],

  listConnections: ['read', ALL_OF_HIS],
  createConnection: ['session', MADE],
  getConnection: ['read', CONNECTION],
  updateConnection: ['session', CONNECTION],
  deleteConnection: ['session', CONNECTION],
  setSchedule: ['manage', CONNECTION],
  listChanges: ['read', CONNECTION],
  listOrganizationChanges: ['read', ALL_OF_HIS],
  startSync: ['manage', CONNECTION],
  listSyncRuns: ['read', CONNECTION],
  getSyncRun: ['read', CONNECTION],
  cancelSyncRun: ['manage', CONNECTION],

  listCoverage: ['read', ALL_OF_HIS],
  getCoverage: ['read', CONNECTION],
  getPeriodCoverage: ['read', CONNECTION],

  listApiKeys: ['session', ALL_OF_HIS],
  listAuditEvents: ['session', ALL_OF_HIS],
  createApiKey: ['session', MADE],
  revokeApiKey: ['session', [404, 'api_key_not_found']],

  listConnectLinks: ['manage', ALL_OF_HIS],
  createConnectLink: ['session', MADE],
  getConnectLink: ['manage', LINK],
  cancelConnectLink: ['session', LINK],

  listGrants: ['session', ALL_OF_HIS],
  revokeGrant: ['session', [404, 'grant_not_found']],
  reviewAuthorization: ['session', ALL_OF_HIS],
  // The digest of the example belongs to no authorization request.
  decideAuthorization: ['session', [409, 'authorization_changed']],

  listTaxRcvDocuments: ['read', CONNECTION],
  getTaxRcvDocument: ['read', CONNECTION],
  listTaxRcvDocumentPeriods: ['read', CONNECTION],
  getTaxRcvDocumentTotals: ['read', CONNECTION],
  listTaxBoletas: ['read', CONNECTION],
  listTaxBoletaPeriods: ['read', CONNECTION],
  getTaxBoletaTotals: ['read', CONNECTION],
  listTaxDispatchGuides: ['read', CONNECTION],
  getTaxDispatchGuide: ['read', CONNECTION],
  listTaxDispatchGuidePeriods: ['read', CONNECTION],
  getTaxDispatchGuideTotals: ['read', CONNECTION],
  listBankoneTransfers: ['read', CONNECTION],
  listBankoneTransferPeriods: ['read', CONNECTION],
  getBankoneTransferTotals: ['read', CONNECTION],
  listBankoneBalances: ['read', CONNECTION],
  listBankoneMovements: ['read', CONNECTION],
  listBankoneMovementPeriods: ['read', CONNECTION],
  getBankoneMovementTotals: ['read', CONNECTION],
  listBankoneNominas: ['read', CONNECTION],
  listBankoneNominaPagos: ['read', CONNECTION],
  listBankoneNominaPeriods: ['read', CONNECTION],
  getBankoneNominaTotals: ['read', CONNECTION],
  listBanktwoMovements: ['read', CONNECTION],
  listBanktwoMovementPeriods: ['read', CONNECTION],
  getBanktwoMovementTotals: ['read', CONNECTION],
  listBanktwoBalances: ['read', CONNECTION],
  listBankthreeMovements: ['read', CONNECTION],
  listBankthreeMovementPeriods: ['read', CONNECTION],
  getBankthreeMovementTotals: ['read', CONNECTION],
  listBankthreeBalances: ['read', CONNECTION],

  listLicitaciones: ['key', ALL_OF_HIS],
  listTenderChanges: ['key', ALL_OF_HIS],
  listConnectionLicitaciones: ['session', CONNECTION],
  getConnectionLicitacion: ['session', CONNECTION],
  listConnectionDocumentos: ['session', CONNECTION],
  listConnectionPreguntas: ['session', CONNECTION],
  listConnectionOfertas: ['session', CONNECTION],
  getConnectionDocumentoLink: ['session', CONNECTION],
  getLicitacion: ['key', TENDER],
  listLicitacionDocumentos: ['key', TENDER],
  listLicitacionPreguntas: ['key', TENDER],
  listLicitacionOfertas: ['key', TENDER],
  downloadDocumento: ['key', [404, 'documento_not_found']],
  getDocumentoLink: ['key', [404, 'documento_not_found']],

  listWebhooks: ['manage', ALL_OF_HIS],
  createWebhook: ['manage', MADE],
  getWebhook: ['manage', WEBHOOK],
  updateWebhook: ['manage', WEBHOOK],
  deleteWebhook: ['manage', WEBHOOK],
  rollWebhookSecret: ['manage', WEBHOOK],
  listWebhookDeliveries: ['manage', WEBHOOK],
  resendWebhookDelivery: ['manage', WEBHOOK],
  getWebhookDelivery: ['manage', WEBHOOK],
  testWebhook: ['manage', WEBHOOK],
};

/** Throws for an operation without an entry. */
export const judged = (operationId: string): readonly [Auth, Elsewhere] => {
  const entry = WHO_MAY_CALL[operationId];
  if (!entry)
    throw new Error(
      `${operationId} has no entry in WHO_MAY_CALL of test/helpers/who-may-call.ts. Add one by hand, from what was ` +
        `promised and not from the contract: ${operationId}: ['read', CONNECTION],`,
    );
  return entry;
};

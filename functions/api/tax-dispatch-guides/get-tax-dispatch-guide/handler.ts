import { endpoint } from '#shared/http/endpoint.ts';
import { getDocument } from '#shared/http/lists/read-rows.ts';
import { taxGuias } from '#shared/scopes/tax-guias.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, getDocument(taxGuias, 'guideId', 'dispatch_guide_not_found'));

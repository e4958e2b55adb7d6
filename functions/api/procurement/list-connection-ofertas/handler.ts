import { endpoint } from '#shared/http/endpoint.ts';
import { belowConnection, listTenderRows } from '#shared/http/lists/tender-lists.ts';
import { procurementOfertas } from '#shared/scopes/procurement-ofertas.ts';
import { byCreation } from '#shared/tenders/tender.rules.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, belowConnection(listTenderRows(procurementOfertas, byCreation)));

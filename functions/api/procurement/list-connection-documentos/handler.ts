import { endpoint } from '#shared/http/endpoint.ts';
import { belowConnection, listTenderRows } from '#shared/http/lists/tender-lists.ts';
import { procurementDocumentos } from '#shared/scopes/procurement-documentos.ts';
import { byCreation } from '#shared/tenders/tender.rules.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, belowConnection(listTenderRows(procurementDocumentos, byCreation)));

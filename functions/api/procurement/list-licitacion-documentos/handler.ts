import { byCreation } from '#shared/domain/tender.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { listTenderRows } from '#shared/http/tender-lists.ts';
import { procurementDocumentos } from '#shared/scopes/procurement-documentos.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, listTenderRows(procurementDocumentos, byCreation));

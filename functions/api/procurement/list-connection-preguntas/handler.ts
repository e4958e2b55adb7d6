import { endpoint } from '#shared/http/endpoint.ts';
import { belowConnection, listTenderRows } from '#shared/http/lists/tender-lists.ts';
import { procurementPreguntas } from '#shared/scopes/procurement-preguntas.ts';
import { byNumber } from '#shared/tenders/tender.rules.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, belowConnection(listTenderRows(procurementPreguntas, byNumber)));

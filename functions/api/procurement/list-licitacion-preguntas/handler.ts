import { byNumber } from '#shared/domain/tender.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { listTenderRows } from '#shared/http/tender-lists.ts';
import { procurementPreguntas } from '#shared/scopes/procurement-preguntas.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, listTenderRows(procurementPreguntas, byNumber));

import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { procurementLicitaciones } from '#shared/scopes/procurement-licitaciones.ts';
import { findTender } from '#shared/tenders/read-tender.store.ts';
import { normalizedCodigo } from '#shared/tenders/tender.store.ts';
import { contract } from './contract.ts';

export const getLicitacion: Logic<typeof contract> = async ({ caller: { organizationId }, params }) => {
  const codigo = normalizedCodigo(params.codigo);
  const tender = codigo === null ? undefined : await findTender(organizationId, codigo, procurementLicitaciones);
  if (!tender) throw notFound('licitacion_not_found');
  return { status: 200, body: { data: tender } };
};

export const handler = endpoint(contract, getLicitacion);

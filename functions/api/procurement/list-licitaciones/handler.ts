import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { toPage } from '#shared/http/lists/pagination.ts';
import { ApiError } from '#shared/http/response/errors.ts';
import { TENDER_LIMITS } from '#shared/tenders/limits.ts';
import { readTenderList, TooManyToSearch } from '#shared/tenders/read-tender-list.store.ts';
import { contract } from './contract.ts';

const refuseSearch = (error: unknown): never => {
  if (!(error instanceof TooManyToSearch)) throw error;
  const most = TENDER_LIMITS.tendersSearchedMax.toLocaleString('en-US');
  throw new ApiError(
    'validation_error',
    `q looks through at most ${most} tenders: narrow it by from and to, or by estado`,
  );
};

export const listLicitaciones: Logic<typeof contract> = async ({ caller: { organizationId }, query }) => {
  const { rows, total } = await readTenderList(organizationId, query).catch(refuseSearch);
  return { status: 200, body: toPage(rows, total, query.limit, query.offset) };
};

export const handler = endpoint(contract, listLicitaciones);

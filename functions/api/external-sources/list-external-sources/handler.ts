import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { toExternalSource } from '#shared/http/views/external-source.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import { contract } from './contract.ts';

export const listExternalSources: Logic<typeof contract> = async ({ query: { country, type, is_active } }) => {
  const found = MANIFESTS.filter(
    (manifest) =>
      (country === undefined || manifest.country === country) &&
      (type === undefined || manifest.type === type) &&
      (is_active === undefined || manifest.isActive === is_active),
  );
  return { status: 200, body: { data: found.map(toExternalSource) } };
};

export const handler = endpoint(contract, listExternalSources);

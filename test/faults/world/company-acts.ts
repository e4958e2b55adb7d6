/** A person replaces the credentials by those of one of two companies, as PATCH of a connection does. */
import type { Cause } from '#shared/audit/audit.rules.ts';
import { identifyAccount } from '#shared/connections/account-key.rules.ts';
import { changeConnection } from '#shared/connections/change-connection.ts';
import { statusAfterNewCredentials } from '#shared/connections/connection.rules.ts';
import { encryptSecret, secretResource } from '#shared/platform/crypto.ts';
import { mixesCompanies } from '#shared/sync/login/mixes-companies.ts';
import { CANARIES } from './institution.ts';
import type { World } from './world.ts';

const COMPANIES = ['one company', 'another company'] as const;
const SOURCE = { requestId: 'request', address: null, forwardedAddress: null };
const PERSON: Cause = { author: { kind: 'person', id: 'person' }, source: SOURCE };

export const replaceCompany = async (world: World): Promise<void> => {
  const { organizationId, connection, institution, random } = world;
  const password = world.hasWrongPassword ? 'not the password' : CANARIES.password;
  const credentials = { login: 'login', password, company: random.pick(COMPANIES) };
  const accountKey = identifyAccount(institution.adapter.manifest, organizationId, credentials);
  await changeConnection(
    organizationId,
    connection.id,
    async (found) => {
      if (await mixesCompanies(found, accountKey)) return {};
      const resource = secretResource.credentials(found);
      const ciphertext = await encryptSecret(organizationId, resource, JSON.stringify(credentials));
      const { credentialsVersion: expectedVersion, status } = found;
      return { status: statusAfterNewCredentials(status), credentials: { ciphertext, expectedVersion, accountKey } };
    },
    PERSON,
  );
};

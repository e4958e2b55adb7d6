/**
 * Reads a table's content: the number of items of each kind, and some items with a secret, of which one is decrypted as
 * a test.
 */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { connectionItem } from '#shared/connections/connection.store.ts';
import { decryptSecret, SecretUnreadable, secretResource } from '#shared/platform/crypto.ts';
import { itemKind, parseSecretKey } from '#shared/table/item-kind.ts';
import { type Key, keys } from '#shared/table/keys.ts';

type SecretItem = Key & { ciphertext?: Uint8Array; fingerprint_key?: Uint8Array };

export interface TableContent {
  /** Kind of item (`itemKind`) → number of items. */
  counts: ReadonlyMap<string, number>;
  /**
   * Items with a secret: first some credentials, then at most one key of fingerprints, which is used if no credentials
   * can be tried.
   */
  secrets: readonly SecretItem[];
}

/**
 * Highest number of credentials that are tried. Several are needed, because the table contains credentials of deleted
 * connections until the purge; without the connection, their source and therefore their encryption context is unknown.
 */
const CREDENTIALS_MAX = 20;
const FINGERPRINTS_MAX = 1;

/**
 * Reads the whole table with eventually consistent reads. It retains only the encrypted values that the test needs.
 */
export const readContent = async (client: DynamoDBClient, table: string): Promise<TableContent> => {
  const counts = new Map<string, number>();
  const credentials: SecretItem[] = [];
  const fingerprints: SecretItem[] = [];
  const documents = DynamoDBDocumentClient.from(client);
  const pages = paginateScan(
    { client: documents },
    { TableName: table, ProjectionExpression: 'pk, sk, ciphertext, fingerprint_key' },
  );
  for await (const { Items = [] } of pages)
    for (const found of Items as SecretItem[]) {
      const kind = itemKind(found);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const secret = parseSecretKey(found)?.kind;
      if (secret === 'credentials' && credentials.length < CREDENTIALS_MAX) credentials.push(found);
      if (secret === 'logins' && found.fingerprint_key && fingerprints.length < FINGERPRINTS_MAX)
        fingerprints.push(found);
    }
  return { counts, secrets: [...credentials, ...fingerprints] };
};

const opens = async (...[organizationId, resource, ciphertext]: Parameters<typeof decryptSecret>): Promise<boolean> => {
  try {
    await decryptSecret(organizationId, resource, ciphertext);
    return true;
  } catch (error) {
    if (error instanceof SecretUnreadable) return false;
    throw error;
  }
};

/**
 * Resolves to true if the secret can be decrypted, and to false if it cannot; undefined when the connection of the
 * credentials is deleted.
 */
const tryItem = async (client: DynamoDBClient, table: string, found: SecretItem): Promise<boolean | undefined> => {
  const secret = parseSecretKey(found);
  if (secret === undefined) return undefined;
  const { organizationId: owner } = secret;
  if (secret.kind === 'logins') {
    const resource = secretResource.fingerprints(secret.source, secret.login);
    return found.fingerprint_key && opens(owner, resource, found.fingerprint_key);
  }
  const { Item: connection } = await DynamoDBDocumentClient.from(client).send(
    new GetCommand({ TableName: table, Key: keys.connection(owner, secret.connectionId) }),
  );
  if (connection === undefined) return undefined;
  const resource = secretResource.credentials(connectionItem.fromItem(connection));
  return found.ciphertext instanceof Uint8Array && opens(owner, resource, found.ciphertext);
};

/**
 * Decrypts the first suitable secret with the key in this process's environment. `none` means that no suitable secret
 * is stored.
 */
export const openOneSecret = async (
  client: DynamoDBClient,
  table: string,
  { secrets }: TableContent,
): Promise<'opened' | 'refused' | 'none'> => {
  for (const secret of secrets) {
    const isOpen = await tryItem(client, table, secret);
    if (isOpen !== undefined) return isOpen ? 'opened' : 'refused';
  }
  return 'none';
};

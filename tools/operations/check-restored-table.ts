/**
 * Checks whether the stage may use the table of its generation. The check covers the table's settings, one stored
 * secret, and the content compared with the former table.
 */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { tableName } from '#infra/names.ts';
import type { Stage } from '#infra/stages.ts';
import { openOneSecret, readContent, type TableContent } from './table-content.ts';
import { describeTable, settingFaults } from './table-settings.ts';

export interface TableReport {
  table: string;
  /** Lines that each describe a fault; empty when the stage may use the table. */
  faults: string[];
  /** Lines that each describe a comparison or its result. */
  told: string[];
}

type Checked = Pick<Stage, 'name' | 'tableGeneration' | 'retainsData'>;
type Counts = TableContent['counts'];

const total = (counts: Counts): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

const differences = (counts: Counts, former: Counts): string[] =>
  [...new Set([...former.keys(), ...counts.keys()])].sort().flatMap((kind) => {
    const [now, before] = [counts.get(kind) ?? 0, former.get(kind) ?? 0];
    return now === before ? [] : [`  ${kind}: ${now}, in the former table ${before}`];
  });

const compare = async (client: DynamoDBClient, stage: Checked, counts: Counts): Promise<Omit<TableReport, 'table'>> => {
  if (stage.tableGeneration === 1)
    return { faults: [], told: ['generation 1: there is no former table to compare with'] };
  const name = tableName({ ...stage, tableGeneration: stage.tableGeneration - 1 });
  if ((await describeTable(client, name)) === undefined)
    return { faults: [], told: [`the former table ${name} no longer exists: nothing to compare with`] };
  const { counts: former } = await readContent(client, name);
  const isEmpty = total(counts) === 0 && total(former) > 0;
  const lines = differences(counts, former);
  const says =
    lines.length === 0
      ? `each of ${former.size} kinds of item as often as in the former table ${name}`
      : `${lines.length} kinds of item are not as often as in the former table ${name}:`;
  return {
    faults: isEmpty ? [`it holds no item, the former table ${name} holds ${total(former)}`] : [],
    told: [says, ...lines],
  };
};

const SECRETS = {
  opened: 'a stored secret was opened with the key of the stage',
  none: 'no credentials are stored: no secret was opened',
} as const;

/** Checks the table. @throws errors of DynamoDB and KMS, except a refusal to decrypt, which is a fault of the table */
export const checkRestoredTable = async (client: DynamoDBClient, stage: Checked): Promise<TableReport> => {
  const table = tableName(stage);
  const described = await describeTable(client, table);
  if (described === undefined) return { table, faults: ['the table is not there'], told: [] };
  const faults = await settingFaults(client, table, described, stage);
  const content = await readContent(client, table);
  const secret = await openOneSecret(client, table, content);
  if (secret === 'refused')
    faults.push('a stored secret cannot be opened: another key, or these credentials may not use it');
  const compared = await compare(client, stage, content.counts);
  return {
    table,
    faults: [...faults, ...compared.faults],
    told: [
      `${total(content.counts)} items of ${content.counts.size} kinds`,
      ...(secret === 'refused' ? [] : [SECRETS[secret]]),
      ...compared.told,
    ],
  };
};

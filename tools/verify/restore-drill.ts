/**
 * Runs the runbook's restore drill on the emulator. The table is restored under the name of the next generation, and
 * the check refuses the table until the operator sets the settings that a restore omits. The data stack then imports
 * the table as its only change, and the stage uses it.
 */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  UpdateContinuousBackupsCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { stackName } from '#infra/app.ts';
import { TTL_ATTRIBUTE, tableName } from '#infra/names.ts';
import type { Stage } from '#infra/stages.ts';
import { santiagoPeriod } from '#shared/values/dates.ts';
import { synchronize } from '#tools/local/demo/steps.ts';
import type { StackFile } from '#tools/local/stack-file.ts';
import { checkRestoredTable } from '#tools/operations/check-restored-table.ts';
import { stacksIn } from '#tools/operations/kept-assembly.ts';
import { describeTable, settingFaults } from '#tools/operations/table-settings.ts';
import type { Cdk } from './cdk.ts';

const WAIT_SECONDS = 30;

export interface Drill {
  cdk: Cdk;
  /** The stage with table generation 1; `restored` is the same stage with table generation 2. */
  former: Stage;
  restored: Stage;
  file: StackFile;
  folder: string;
}

const restore = async (client: DynamoDBClient, { former, restored }: Drill): Promise<void> => {
  const [SourceTableName, TargetTableName] = [tableName(former), tableName(restored)];
  await client.send(
    new RestoreTableToPointInTimeCommand({ SourceTableName, TargetTableName, UseLatestRestorableTime: true }),
  );
  await waitUntilTableExists({ client, maxWaitTime: WAIT_SECONDS, minDelay: 1 }, { TableName: TargetTableName });
};

const setWhatIsNotRestored = async (client: DynamoDBClient, { restored }: Drill): Promise<void> => {
  const TableName = tableName(restored);
  const TimeToLiveSpecification = { Enabled: true, AttributeName: TTL_ATTRIBUTE };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
};

/**
 * Resolves with the faults in the restored table's settings. The content is compared later, after the settings are
 * corrected.
 */
const faultsAsRestored = async (client: DynamoDBClient, { restored }: Drill): Promise<string[]> => {
  const name = tableName(restored);
  const table = await describeTable(client, name);
  return table === undefined ? ['the table is not there'] : settingFaults(client, name, table, restored);
};

const mustBe = (faults: readonly string[], wanted: readonly string[]): void => {
  if (!isDeepStrictEqual(faults, wanted)) throw new Error(`restore:check said: ${faults.join('; ') || 'no fault'}`);
};

/**
 * Returns the operator's answer to the CDK. The CDK asks for the physical name of the table that is new in the
 * template.
 */
const mappingOf = (assembly: string, { restored }: Drill): string => {
  const TableName = tableName(restored);
  const data = stacksIn(assembly).find(({ name }) => name === stackName(restored.name, 'data'))!;
  const [id] = Object.entries(data.template.Resources!).find(([, each]) => each.Properties?.TableName === TableName)!;
  return JSON.stringify({ [id]: { TableName } });
};

const connectionsOf = async ({ file }: Drill): Promise<{ id: string; external_source_code: string }[]> => {
  const answer = await fetch(`${file.api}/connections?limit=200`, {
    headers: { authorization: `Bearer ${file.api_key}` },
  });
  if (!answer.ok) throw new Error(`GET /connections: ${answer.status}`);
  return ((await answer.json()) as { data: { id: string; external_source_code: string }[] }).data;
};

/**
 * Runs the drill and resolves with one line about the result. @throws Error when a step of the drill does not do what
 * the runbook says
 */
export const drillRestore = async (drill: Drill): Promise<string> => {
  const { cdk, restored, file } = drill;
  const data = stackName(restored.name, 'data');
  const client = new DynamoDBClient({});
  try {
    const before = await connectionsOf(drill);
    await restore(client, drill);
    mustBe(await faultsAsRestored(client, drill), [`TTL is not enabled: ${TTL_ATTRIBUTE} must be its attribute`]);
    await setWhatIsNotRestored(client, drill);
    const { faults, told } = await checkRestoredTable(client, restored);
    mustBe(faults, []);

    const assembly = join(drill.folder, 'restored');
    await cdk.run(['synth', '--quiet', '--output', assembly], { VERIFY_GENERATION: String(restored.tableGeneration) });
    await cdk.run(['import', data, '--app', assembly, '--resource-mapping-inline', mappingOf(assembly, drill)]);
    const { unchanged } = await cdk.deploy(assembly);
    if (!unchanged.includes(data))
      throw new Error(`the import was not the only change of ${data}: a deploy changed it`);
    if (!isDeepStrictEqual(await connectionsOf(drill), before))
      throw new Error('the restored table does not show the connections of the former one');
    const { id } = before.find(({ external_source_code: code }) => code === 'tax')!;
    const run = await synchronize(file, id, () => {}, { periods: [santiagoPeriod(Date.now())] });
    if (run.status !== 'succeeded') throw new Error(`a sync over the restored table ended ${run.status}`);
    return `${told[0]}; imported as the only change of ${data}; connections read: ${before.length}, synchronized: 1`;
  } finally {
    client.destroy();
  }
};

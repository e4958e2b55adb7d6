/**
 * Rehearses the first deploy of a stage that retains its data and has a domain without DNS, on an emulator of its own,
 * because such a stage cannot be torn down. The deploy fails half-way in the data stack, then in the sync stack, and is
 * then repeated.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'cheerio';
import { stackName, stackNames } from '#infra/app.ts';
import { queueName } from '#infra/names.ts';
import { askCloudFormation, describeStack } from '#shared/platform/signed-request.ts';
import type { DeployOutcome } from '#tools/operations/deploy-stage.ts';
import { cdkOn } from './cdk.ts';
import { whatIsLeft } from './deployed.ts';
import { type EmulatedStage, emulatedStage } from './emulated-stage.ts';
import { ACCOUNT, type Emulator, REGION, startEmulator } from './emulator.ts';
import { DOMAIN_WITHOUT_DNS } from './emulator-stage.ts';

const STAGE = 'emulator';
const RETAINING = { VERIFY_RETAINING: 'yes' };
const DATA = stackName(STAGE, 'data');

interface Rehearsal {
  emulator: Emulator;
  stage: EmulatedStage;
  folder: string;
}

const mustBe = (isRight: boolean, what: string): void => {
  if (!isRight) throw new Error(`the first deploy of a retaining stage: ${what}`);
};

const deploy = async ({ stage }: Rehearsal, name: string, wanted: DeployOutcome): Promise<string[]> => {
  const { outcome, told } = await stage.deploy(name, RETAINING);
  mustBe(outcome === wanted, `deploy ${name} ended "${outcome}", not "${wanted}":\n${told.join('\n')}`);
  return told;
};

/** Runs the deploy while the emulator refuses to create the queue. */
const deployRefused = async (rehearsal: Rehearsal, queue: string): Promise<void> => {
  const refused = join(rehearsal.folder, 'refused-queues');
  const name = queueName(STAGE, queue);
  writeFileSync(refused, name);
  const told = await deploy(rehearsal, `without ${queue}`, 'failed');
  mustBe(told.join('\n').includes(name), `the failure does not name ${name}:\n${told.join('\n')}`);
  rmSync(refused);
};

/** Resolves with the value of a field of the stack's description; undefined when the stack does not exist. */
const fieldOf = async (stack: string, field: string): Promise<string | undefined> => {
  const answer = await describeStack(stack);
  if (!answer.ok) return undefined;
  return load(await answer.text(), { xml: true })('Stacks > member')
    .first()
    .children(field)
    .text();
};

/** Resolves with the types of resources that the stack's events show as `<type> <status>`. */
const eventsOf = async (stack: string): Promise<Set<string>> => {
  const answer = await askCloudFormation('DescribeStackEvents', { StackName: stack });
  const $ = load(await answer.text(), { xml: true });
  const events = $('StackEvents > member').toArray();
  return new Set(
    events.map((each) => `${$(each).children('ResourceType').text()} ${$(each).children('ResourceStatus').text()}`),
  );
};

/** The rollback deleted what the failed deploy had created, although the stage retains it afterwards. */
const checkRolledBack = async ({ emulator }: Rehearsal): Promise<void> => {
  const status = await fieldOf(DATA, 'StackStatus');
  mustBe(status === 'ROLLBACK_COMPLETE', `the status of ${DATA} is ${status}`);
  const events = await eventsOf(DATA);
  for (const type of ['AWS::KMS::Key', 'AWS::S3::Bucket'])
    mustBe(
      events.has(`${type} CREATE_COMPLETE`) && events.has(`${type} DELETE_COMPLETE`),
      `${type} was not rolled back`,
    );
  const left = await whatIsLeft(emulator);
  mustBe(left.length === 0, `after the rollback there are still ${left.join(', ')}`);
};

const listProtected = async (): Promise<string[]> => {
  const found: string[] = [];
  for (const stack of stackNames(STAGE))
    if ((await fieldOf(stack, 'EnableTerminationProtection')) === 'true') found.push(stack);
  return found;
};

const rehearse = async (rehearsal: Rehearsal): Promise<string> => {
  await deployRefused(rehearsal, 'purges');
  await checkRolledBack(rehearsal);
  await deployRefused(rehearsal, 'sync-tax-rcv');
  mustBe((await fieldOf(DATA, 'StackStatus')) === 'CREATE_COMPLETE', `${DATA} did not stay`);
  mustBe((await listProtected()).length === 0, 'a failed deploy protected stacks');

  const told = await deploy(rehearsal, 'repeated', 'deployed');
  const target = rehearsal.stage.output('DistributionDomain');
  const line = `point the CNAME record of ${DOMAIN_WITHOUT_DNS} at ${target}`;
  mustBe(
    told.some((each) => each.endsWith(line)),
    `nothing said "${line}":\n${told.join('\n')}`,
  );
  const stacks = await listProtected();
  mustBe(stacks.length === stackNames(STAGE).length, `only these stacks are protected: ${stacks.join(', ')}`);

  await deploy(rehearsal, 'again', 'deployed');
  mustBe((await listProtected()).length === stacks.length, 'a later deploy left stacks without protection');
  const refused = await askCloudFormation('DeleteStack', { StackName: DATA });
  mustBe(!refused.ok, `${DATA} could be deleted`);
  return `failed in data and in sync, then deployed; ${stacks.length} stacks protected; ${line}`;
};

/**
 * Runs the rehearsal and resolves with one line about the result.
 * @param programs folder of the Python environment
 * @throws Error when a step does not do what docs/deploying.md says
 */
export const rehearseFirstDeploy = async (programs: string, parent: string): Promise<string> => {
  const folder = join(parent, 'first-deploy');
  mkdirSync(folder);
  const emulator = await startEmulator(programs, folder);
  Object.assign(process.env, emulator.environment);
  const cdk = cdkOn(emulator, {}, folder);
  const stage = emulatedStage(cdk, emulator.endpoint, folder, true);
  try {
    await cdk.run(['bootstrap', `aws://${ACCOUNT}/${REGION}`]);
    return await rehearse({ emulator, stage, folder });
  } finally {
    await stage.close();
    await emulator.close();
  }
};

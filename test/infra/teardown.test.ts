/** The deletion of a stage: the CDK's arguments, refusals, and messages to the operator about the rest. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { stackName, stackNames } from '#infra/app.ts';
import { parseStage, type Stage, stageNamed } from '#infra/stages.ts';
import { sampled } from '#test/helpers/effort.ts';
import { destroyStage } from '#tools/operations/destroy-stage.ts';
import { stackOf, stacksOf } from './synthesized.ts';

const OWN = '/data-connections/anna/session-secret';
const TEARDOWN = join(import.meta.dirname, '../../tools/operations/teardown.ts');

interface Account {
  stacks?: string[];
  parameters?: string[];
  tables?: string[];
  /** Stacks that the CDK does not delete. */
  stay?: string[];
}

/** An account in which the CDK deletes all stacks that it is asked to delete. */
const handsIn = ({ stacks = [], parameters = [], tables = [], stay = [] }: Account) => {
  const asked: string[][] = [];
  let there = stacks;
  return {
    asked,
    cdk: async (words: string[]) => {
      asked.push(words);
      there = stay;
    },
    readLastChanges: async (names: readonly string[]) =>
      Object.fromEntries(names.map((name) => [name, there.includes(name) ? '1' : null])),
    hasParameter: async (name: string) => parameters.includes(name),
    hasTable: async (name: string) => tables.includes(name),
  };
};

const destroyed = async (stage: Stage, account: Account = {}) => {
  const hands = handsIn({ stacks: [stackName(stage.name, 'data')], ...account });
  const { stacks, others } = await destroyStage(stage, hands);
  return { asked: hands.asked, stacks, left: [...stacks, ...others] };
};

it('destroys every stack that the stage may have, the sandbox’s too, and asks nothing', async () => {
  const { asked } = await destroyed(stageNamed('anna'));
  expect(asked).toEqual([
    ['destroy', '--all', '--force', '-c', 'stage=anna', '-c', 'placeholder=true', '-c', 'sandbox=true'],
  ]);
  const without = await destroyed(parseStage({ ...stageNamed('anna'), sandbox: null }));
  expect(without.asked[0]?.at(-1)).toBe('sandbox=false');
});

it.each(['dev', 'prod'])(
  '%s: resources that write data are destroyed before the data, and deployed after them',
  (stage) => {
    const dependsOn = (name: string): string[] => stackOf({ stage, hasSandbox: stage === 'dev' }, name).dependencies;
    for (const stack of ['sync', 'api-control', 'api-data'] as const)
      expect(dependsOn(stackName(stage, stack)), stack).toContain(stackName(stage, 'data'));
  },
);

it('names the parameters that are still there, and how they go', async () => {
  const line = `the parameter ${OWN}: aws ssm delete-parameter --name ${OWN}`;
  const { left } = await destroyed(stageNamed('anna'), { parameters: [OWN, '/data-connections/dev/session-secret'] });
  expect(left[0]).toBe(line);
  expect(left.filter((each) => each.startsWith('the parameter'))).toHaveLength(1);
  expect((await destroyed(stageNamed('anna'))).left).toEqual(left.slice(1));
  expect(left.join()).toMatch(/keys.*30 days.*backup.*35 days/);
});

it('says nothing of what is left where the CDK failed', async () => {
  const cdk = () => Promise.reject(new Error('the bucket is not empty'));
  const failing = { ...handsIn({ stacks: stackNames('anna'), parameters: [OWN] }), cdk };
  await expect(destroyStage(stageNamed('anna'), failing)).rejects.toThrow(/^the bucket is not empty$/);
});

it('refuses where no stack of the stage is: another region, account or name. The CDK is not asked', async () => {
  const hands = handsIn({ stacks: stackNames('anna') });
  await expect(destroyStage(stageNamed('ana'), hands)).rejects.toThrow(/^stage ana has no stacks here: .*deleted$/);
  expect(hands.asked).toEqual([]);
  // A run that died after the last stack reported nothing about the parameter.
  const after = handsIn({ parameters: [OWN] });
  await expect(destroyStage(stageNamed('anna'), after)).rejects.toThrow(`the parameter ${OWN}: aws ssm`);
});

it.each(stackNames('anna'))('continues where a run died and left only %s', async (stack) => {
  expect((await destroyed(stageNamed('anna'), { stacks: [stack] })).asked).toHaveLength(1);
});

it('looks for every stack that a stage can have', () => {
  expect(
    stacksOf({ stage: 'anna', hasSandbox: true })
      .map(({ name }) => name)
      .sort(),
  ).toEqual(stackNames('anna').sort());
});

it('names a stack that the CDK passed over', async () => {
  const sandbox = stackName('anna', 'sandbox');
  const lost = parseStage({ ...stageNamed('anna'), sandbox: null });
  const { stacks } = await destroyed(lost, { stacks: stackNames('anna'), stay: [sandbox] });
  expect(stacks[0]).toBe(`the stack ${sandbox}: aws cloudformation delete-stack --stack-name ${sandbox}`);
});

it('names former tables that the stage released while it retained its data', async () => {
  const tables = [1, 2, 3].map((n) => `data-connections-anna-table-${n}`);
  const namedOf = async (more: object) => {
    const { left } = await destroyed(parseStage({ ...stageNamed('anna'), ...more }), { tables });
    return left.flatMap((line) => /^the former table (\S+),/.exec(line)?.[1] ?? []);
  };
  expect(await namedOf({})).toEqual([]);
  // The former table is still in the data stack, and was deleted with it.
  expect(await namedOf({ tableGeneration: 3 })).toEqual(tables.slice(0, 1));
  expect(await namedOf({ tableGeneration: 3, leavesFormerTable: true })).toEqual(tables.slice(0, 2));
});

it('names what it may not look for: the stage is gone, and the rest must not be forgotten', async () => {
  const no = () => Promise.reject(new Error('403'));
  const stage = parseStage({ ...stageNamed('anna'), tableGeneration: 2, leavesFormerTable: true });
  const hands = { ...handsIn({ stacks: stackNames('anna') }), hasParameter: no, hasTable: no };
  const { stacks, others: left } = await destroyStage(stage, hands);
  expect(stacks).toEqual([]);
  expect(left.slice(0, 2)).toEqual([
    `perhaps the parameter ${OWN}, could not look (403): aws ssm delete-parameter --name ${OWN}`,
    expect.stringMatching(
      /^perhaps the former table data-connections-anna-table-1, .*could not look \(403\): aws dynamodb/,
    ),
  ]);
  expect(left.join()).toMatch(/keys.*30 days/);
});

it('reports the rest if it may no longer ask for stacks', async () => {
  const hands = handsIn({ stacks: stackNames('anna'), parameters: [OWN] });
  let asked = 0;
  const readLastChanges = (names: readonly string[]) =>
    asked++ === 0 ? hands.readLastChanges(names) : Promise.reject(new Error('Throttling'));
  const { stacks, others } = await destroyStage(stageNamed('anna'), { ...hands, readLastChanges });
  expect(stacks).toEqual(['perhaps stacks, could not look (Throttling)']);
  expect(others[0]).toContain(`the parameter ${OWN}`);
});

describe('unsafe requests', () => {
  it.each([
    ['prod', 'stage prod keeps its data'],
    ['local', '`npm run reset`'],
  ])('is refused before any call: %s', async (name, reason) => {
    const never = () => Promise.reject(new Error('asked'));
    const hands = { cdk: never, readLastChanges: never, hasParameter: never, hasTable: never };
    await expect(destroyStage(stageNamed(name), hands)).rejects.toThrow(reason);
  });

  const WRONG: [string, string[], string][] = [
    ['no stage', [], 'usage: npm run teardown'],
    ['a name that no stage can have', ['--stage', 'An-na'], 'usage: npm run teardown'],
    ['an unknown option', ['--stage', 'anna', '--force'], 'usage: npm run teardown'],
    ['a stage that keeps its data', ['--stage', 'prod'], 'stage prod keeps its data'],
    ['no region', ['--stage', 'anna'], 'AWS_REGION is missing'],
  ];
  it.each(sampled(WRONG, 2))('is refused on the command line: %s', async (_, words, reason) => {
    const { AWS_REGION, AWS_DEFAULT_REGION, ...env } = process.env;
    await expect(promisify(execFile)(process.execPath, [TEARDOWN, ...words], { env })).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(reason),
    });
  });
});

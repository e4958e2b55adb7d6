/** The end of a stage: what the CDK is asked, what is refused, and what an operator is told of the rest. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createApp, stackName } from '#infra/app.ts';
import { destroyStage } from '#infra/operations/destroy-stage.ts';
import { parseStage, type Stage, stageNamed } from '#infra/stages.ts';

const TEARDOWN = join(import.meta.dirname, '../../infra/operations/teardown.ts');

const destroyed = async (stage: Stage, parameters: readonly string[] = []) => {
  const asked: string[][] = [];
  const left = await destroyStage(stage, {
    cdk: async (words) => asked.push(words),
    hasParameter: async (name) => parameters.includes(name),
  });
  return { asked, left };
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
  '%s: whatever writes to data is destroyed before them, as it is deployed after them',
  (stage) => {
    const { stacks } = createApp({ stage, hasSandbox: stage === 'dev', bundleDir: null, isValidated: false }).synth();
    const dependsOn = (name: string): string[] =>
      stacks.find(({ stackName: each }) => each === name)!.dependencies.map(({ id }) => id);
    for (const stack of ['sync', 'api-control', 'api-data'] as const)
      expect(dependsOn(stackName(stage, stack)), stack).toContain(stackName(stage, 'data'));
  },
);

it('names the parameters that are still there, and how they go', async () => {
  const own = '/data-connections/anna/session-secret';
  const line = `the parameter ${own}: aws ssm delete-parameter --name ${own}`;
  const { left } = await destroyed(stageNamed('anna'), [own, '/data-connections/dev/session-secret']);
  expect(left[0]).toBe(line);
  expect(left.filter((each) => each.startsWith('the parameter'))).toHaveLength(1);
  expect((await destroyed(stageNamed('anna'))).left).toEqual(left.slice(1));
  expect(left.join()).toMatch(/keys.*30 days.*backup.*35 days/);
});

it('says nothing of what is left where the CDK failed', async () => {
  const failing = { cdk: () => Promise.reject(new Error('the bucket is not empty')), hasParameter: async () => true };
  await expect(destroyStage(stageNamed('anna'), failing)).rejects.toThrow('the bucket is not empty');
});

describe('what is not meant', () => {
  it.each([
    ['prod', 'stage prod keeps its data'],
    ['local', '`npm run reset`'],
  ])('is refused before anybody is asked: %s', async (name, reason) => {
    const never = () => Promise.reject(new Error('asked'));
    const hands = { cdk: never, hasParameter: never };
    await expect(destroyStage(stageNamed(name), hands)).rejects.toThrow(reason);
  });

  it.each([
    ['no stage', [], 'usage: npm run teardown'],
    ['a name that no stage can have', ['--stage', 'An-na'], 'usage: npm run teardown'],
    ['an unknown option', ['--stage', 'anna', '--force'], 'usage: npm run teardown'],
    ['a stage that keeps its data', ['--stage', 'prod'], 'stage prod keeps its data'],
    ['no region', ['--stage', 'anna'], 'AWS_REGION is missing'],
  ])('is refused on the command line: %s', async (_, words, reason) => {
    const { AWS_REGION, AWS_DEFAULT_REGION, ...env } = process.env;
    await expect(promisify(execFile)(process.execPath, [TEARDOWN, ...words], { env })).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(reason),
    });
  });
});

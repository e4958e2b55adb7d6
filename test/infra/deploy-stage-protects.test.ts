/** Which stacks a deploy protects from deletion. CDK and CloudFormation are mocked. */
import { expect, test } from 'vitest';
import { usePlayedDeploys } from './played-deploys.ts';

const { said, protectedStacks, deploy } = usePlayedDeploys();

const BOTH = ['data-connections-dev-api', 'data-connections-dev-data'];
const isProtected = true;
const held = (): string[] => [...protectedStacks].sort();

test('protects every stack after a deploy that succeeded, and no stack of a stage that retains nothing', async () => {
  await deploy({ code: { code: 'one' } });
  expect(held()).toEqual([]);
  await deploy({ code: { code: 'two', hasMore: true }, isProtected });
  expect(held()).toEqual([...BOTH, 'data-connections-dev-more']);
});

test('leaves the stacks of a first deploy that failed unprotected, so that they can be deleted', async () => {
  expect(await deploy({ code: { code: 'one' }, fails: ['one'], isProtected })).toMatchObject({ outcome: 'failed' });
  expect(held()).toEqual([]);
});

test.each([
  ['that was rolled back', { isSilent: ['two'] }, 'back'],
  ['whose rollback failed', { fails: ['one', 'two'] }, 'failed'],
])('protects again after a deploy %s, except new stacks', async (_, more, outcome) => {
  await deploy({ code: { code: 'one' }, isProtected });
  expect(await deploy({ code: { code: 'two', hasMore: true }, ...more, isProtected })).toMatchObject({ outcome });
  expect(held()).toEqual(BOTH);
});

test('protects again after a failed deploy that had no way back', async () => {
  await deploy({ code: { code: 'one' }, isProtected });
  await deploy({ code: { code: 'two', table: 'two' }, isSilent: ['two'], isProtected });
  expect(said[0]).toContain('NO WAY BACK');
  expect(held()).toEqual(BOTH);
});

test('reports stacks that could not be protected, and the deploy stays valid', async () => {
  const outcome = await deploy({ code: { code: 'one' }, isProtected, refusesProtection: true });
  expect(outcome).toEqual({ outcome: 'deployed', deployed: 'one' });
  expect(said.at(-1)).toBe('stage dev may be deleted by mistake, its stacks are NOT all protected: AccessDenied');
});

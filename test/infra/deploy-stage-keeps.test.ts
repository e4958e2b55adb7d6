/**
 * Settings that a deploy stores for the next one: its times, its sandbox and its sweeper. CDK and CloudFormation are
 * mocked.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { CONTEXT, usePlayedDeploys } from './played-deploys.ts';

const { said, times, deploy, kept, keptCode } = usePlayedDeploys();

describe('CloudFormation stops answering after a deploy', () => {
  /** The times are read once before the deploy and once after it. */
  const untold = { answersTimes: 1 };
  const told = expect.stringMatching(/^the times of the stack changes could not be read \(Throttling\)/);

  test('the new version is deployed and stored, and the next deploy has no rollback: somebody else may have deployed', async () => {
    await deploy({ code: { code: 'one' } });
    expect(await deploy({ code: { code: 'two' }, ...untold })).toEqual({ outcome: 'deployed', deployed: 'two' });
    expect(said.slice(-2)).toEqual(['stage dev is deployed with commit two0000000 and answers', told]);
    expect(keptCode()).toBe('two');
    expect(kept()!.lastChanges).toBeNull();
    expect(await deploy({ code: { code: 'three' }, isSilent: ['three'] })).toEqual({
      outcome: 'failed',
      deployed: 'three',
    });
    expect(said[0]).toContain('its changes could not be read');
  });

  test('a stage that went back is back, and the one after the next deploy has a way back again', async () => {
    await deploy({ code: { code: 'one' } });
    const back = await deploy({ code: { code: 'two' }, isSilent: ['two'], ...untold });
    expect(back).toEqual({ outcome: 'back', deployed: 'one' });
    expect(said.at(-1)).toEqual(told);
    expect(await deploy({ code: { code: 'three' } })).toEqual({ outcome: 'deployed', deployed: 'three' });
    expect(await deploy({ code: { code: 'four' }, isSilent: ['four'] })).toEqual({
      outcome: 'back',
      deployed: 'three',
    });
  });

  test('before a deploy nothing is begun', async () => {
    await deploy({ code: { code: 'one' } });
    await expect(deploy({ code: { code: 'two' }, answersTimes: 0 })).rejects.toThrow('Throttling');
    expect(keptCode()).toBe('one');
  });
});

describe('a stage with simulated institutions', () => {
  beforeEach(async () => {
    await deploy({ code: { code: 'one', hasSandbox: true } });
  });

  test('is not deployed without them in silence: their logins would go to the real ones', async () => {
    await expect(deploy({ code: { code: 'two' } })).rejects.toThrow(
      'stage dev has simulated institutions (data-connections-dev-sandbox), and would send their logins to the real ones: say --sandbox, or --no-sandbox',
    );
    expect(keptCode()).toBe('one');
    expect(await deploy({ code: { code: 'two', hasSandbox: true } })).toMatchObject({ outcome: 'deployed' });
  });

  test('is deployed without them where that is said, and in silence once their stack is gone', async () => {
    expect(await deploy({ code: { code: 'two' }, mayLeaveSandbox: true })).toMatchObject({ outcome: 'deployed' });
    await expect(deploy({ code: { code: 'three' } })).rejects.toThrow('--no-sandbox');
    delete times['data-connections-dev-sandbox'];
    expect(await deploy({ code: { code: 'three' } })).toMatchObject({ outcome: 'deployed' });
  });
});

test('a stage that goes back to a version without sweeper says so, before and after', async () => {
  await deploy({ code: { code: 'one' }, context: [...CONTEXT, '-c', 'sweeper=off'] });
  expect(kept()!.context).toEqual([...CONTEXT, '-c', 'sweeper=off']);
  expect(await deploy({ code: { code: 'two' }, isSilent: ['two'] })).toMatchObject({ outcome: 'back' });
  expect(said[0]).toMatch(/if this deploy fails, commit one0000000 \(sweeper off\) of .* is deployed again$/);
  expect(said.slice(-2)).toEqual([
    'stage dev is back at commit one0000000 (sweeper off) and answers. The new one is NOT deployed: fix it first',
    'the sweeper of stage dev is OFF, as before: overdue items wait until it is deployed',
  ]);
  await deploy({ code: { code: 'two' } });
  await deploy({ code: { code: 'three' }, isSilent: ['three'] });
  expect(said.join()).not.toContain('sweeper');
});

/** A deploy and its rollback, with a mocked CDK: its arguments, the stored files, and the messages to the operator. */
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openAssemblyFolder } from '#tools/operations/kept-assembly.ts';
import { CONTEXT, type Played, usePlayedDeploys } from './played-deploys.ts';

const { said, asked, times, deploy, kept, keptCode, folder } = usePlayedDeploys();

describe('the first deployment', () => {
  test('says that there is no rollback, and is stored when it answers', async () => {
    expect(await deploy({ code: { code: 'one' } })).toEqual({ outcome: 'deployed', deployed: 'one' });
    expect(said).toEqual([
      'stage dev: nothing was deployed from here before. If this deploy fails, there is NO WAY BACK',
      'stage dev is deployed with commit one0000000 and answers',
    ]);
    expect(asked.map(([verb]) => verb)).toEqual(['synth', 'deploy']);
    expect(asked[0]!.slice(-2)).toEqual(CONTEXT);
    // The built assembly is deployed: nothing is bundled again.
    expect(asked[1]).toEqual(expect.arrayContaining(['--all', '--app', '--build', 'true']));
    expect(kept()).toMatchObject({ isCommitted: true, commit: 'one'.padEnd(40, '0'), lastChanges: times });
    expect(keptCode()).toBe('one');
  });

  test.each<[string, Partial<Played>, string]>([
    ['fails', { fails: ['one'] }, '- cdk deploy of one ended with 1'],
    ['does not answer', { isSilent: ['one'] }, '- one: 500 instead of 200'],
  ])('that %s is not stored, and stays', async (_, more, line) => {
    expect(await deploy({ code: { code: 'one' }, ...more })).toMatchObject({ outcome: 'failed' });
    expect(said.slice(1)).toEqual([
      'stage dev was NOT deployed with commit one0000000:',
      line,
      'stage dev stays as the failure left it: there is no way back',
    ]);
    expect(kept()).toBeUndefined();
  });
});

describe('a later one', () => {
  beforeEach(async () => {
    await deploy({ code: { code: 'one' } });
  });

  test('that answers replaces the stored one', async () => {
    expect(await deploy({ code: { code: 'two' } })).toEqual({ outcome: 'deployed', deployed: 'two' });
    expect(said[0]).toMatch(/^stage dev: if this deploy fails, commit one0000000 of \d{4}-.*Z is deployed again$/);
    expect(keptCode()).toBe('two');
    expect(existsSync(join(folder(), 'next'))).toBe(false);
    expect(existsSync(join(folder(), 'former'))).toBe(false);
  });

  test('of changes that nobody committed says so', async () => {
    await deploy({ code: { code: 'dirty' } });
    expect(said.at(-1)).toBe(
      'stage dev is deployed with commit dirty00000 (and changes that are not committed) and answers',
    );
    expect(kept()!.isCommitted).toBe(false);
  });

  test.each<[string, Partial<Played>]>([
    ['fails', { fails: ['two'] }],
    ['does not answer', { isSilent: ['two'] }],
  ])('that %s is rolled back, and the stored one stays the rollback target', async (_, more) => {
    expect(await deploy({ code: { code: 'two' }, ...more })).toEqual({ outcome: 'back', deployed: 'one' });
    expect(said[1]).toBe('stage dev was NOT deployed with commit two0000000:');
    expect(said.slice(-2)).toEqual([
      'stage dev goes back to commit one0000000',
      'stage dev is back at commit one0000000 and answers. The new one is NOT deployed: fix it first',
    ]);
    // Uses the stored assembly, and does not bundle the code that failed.
    expect(asked.at(-1)).toEqual(
      expect.arrayContaining(['deploy', '--all', '--app', openAssemblyFolder(folder()).kept, '--build', 'true']),
    );
    expect(keptCode()).toBe('one');
    expect(await deploy({ code: { code: 'two' }, ...more })).toMatchObject({ outcome: 'back' });
    expect(await deploy({ code: { code: 'three' } })).toMatchObject({ outcome: 'deployed' });
  });

  test.each<[string, Partial<Played>, string]>([
    ['cannot be deployed', { fails: ['one', 'two'] }, '- cdk deploy of one ended with 1'],
    ['does not answer any more', { isSilent: ['one', 'two'] }, '- one: 500 instead of 200'],
  ])('whose rollback %s is reported as failed twice', async (_, more, line) => {
    expect(await deploy({ code: { code: 'two' }, ...more })).toMatchObject({ outcome: 'failed' });
    expect(said.slice(-2)).toEqual([
      line,
      'stage dev could NOT go back: look at the events of its stacks, repair them, and deploy commit one0000000',
    ]);
    expect(keptCode()).toBe('one');
  });

  test('has no rollback if somebody else deployed meanwhile, and does not undo their changes', async () => {
    times['data-connections-dev-api'] = 'theirs';
    expect(await deploy({ code: { code: 'two' }, isSilent: ['two'] })).toEqual({ outcome: 'failed', deployed: 'two' });
    expect(said[0]).toContain('somebody else changed data-connections-dev-api');
    expect(said[0]).toContain('NO WAY BACK');
    expect(await deploy({ code: { code: 'two' }, isSilent: ['two'] })).toEqual({ outcome: 'failed', deployed: 'two' });
  });

  test('that changes what holds data has no way back; one after it that does not has', async () => {
    const moved = { code: 'two', table: 'two' };
    expect(await deploy({ code: moved, isSilent: ['two'] })).toMatchObject({ outcome: 'failed', deployed: 'two' });
    expect(said[0]).toContain('it changes what holds data');
    expect(await deploy({ code: { code: 'three' }, isSilent: ['three'] })).toMatchObject({ outcome: 'back' });
  });

  test('whose importers hold a new export is rolled back from the other end, then as a whole', async () => {
    await deploy({ code: { code: 'two', shares: true }, isSilent: ['two'] });
    const back = asked.slice(2).map((words) => words.slice(0, 3));
    expect(back).toEqual([
      ['deploy', 'data-connections-dev-api', '--exclusively'],
      ['deploy', 'data-connections-dev-data', '--exclusively'],
      ['deploy', '--all', '--app'],
    ]);
  });

  test('with a new stack says that it stays, before and after', async () => {
    await deploy({ code: { code: 'two', hasMore: true }, isSilent: ['two'] });
    expect(said[1]).toBe('the stack data-connections-dev-more is new, and would stay');
    expect(said.slice(-2)).toEqual([
      expect.stringMatching(/^stage dev is back at commit one0000000/),
      'the stack data-connections-dev-more is new, and stays as the failure left it',
    ]);
  });

  test('that cannot be synthesized begins nothing and loses nothing', async () => {
    await expect(deploy({ code: { code: 'two', isBroken: true } })).rejects.toThrow('a handler is missing');
    expect(asked.map(([verb]) => verb)).toEqual(['synth']);
    expect(keptCode()).toBe('one');
  });
});

describe('the dashboard is asked at the distribution’s own name', () => {
  const DistributionDomain = 'd111.cloudfront.net';
  const at = (domain: string | null) => ({
    addresses: { api: 'https://api.example.com/api', dashboard: `https://${DistributionDomain}`, domain },
  });

  test('which is also its address if the stage has no domain', async () => {
    const outputs = { DashboardUrl: `https://${DistributionDomain}`, DistributionDomain };
    expect(await deploy({ code: { code: 'one' }, outputs, ...at(null) })).toMatchObject({ outcome: 'deployed' });
    expect(said.at(-1)).toMatch(/and answers$/);
  });

  test('and a domain without DNS is reported, but neither fails the deploy nor rolls it back', async () => {
    const outputs = { DashboardUrl: 'https://data.example.cl', DistributionDomain };
    const played = { outputs, ...at('https://data.example.cl') };
    expect(await deploy({ code: { code: 'one' }, ...played })).toMatchObject({ outcome: 'deployed' });
    expect(said.at(-1)).toBe('not yet at https://data.example.cl');
    expect(keptCode()).toBe('one');
  });

  test('or at its address, if the assembly is of a version without that output', async () => {
    const outputs = { DashboardUrl: 'https://data.example.cl' };
    const addresses = { api: 'https://api.example.com/api', dashboard: 'https://data.example.cl', domain: null };
    expect(await deploy({ code: { code: 'one' }, outputs, addresses })).toMatchObject({ outcome: 'deployed' });
  });
});

test('a process that died between two renames loses no assembly', async () => {
  await deploy({ code: { code: 'one' } });
  renameSync(join(folder(), 'kept'), join(folder(), 'former'));
  expect(kept()).toMatchObject({ commit: 'one'.padEnd(40, '0') });
  expect(keptCode()).toBe('one');
});

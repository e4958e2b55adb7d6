/**
 * What the restore drill needs from the templates: an import as the only change, then one table name, and no sweeper.
 */
import { describe, expect, test } from 'vitest';
import { createApp } from '#infra/app.ts';
import { tableName } from '#infra/names.ts';
import { parseStage, stageNamed } from '#infra/stages.ts';
import { localStage } from '#tools/local/local-stage.ts';
import { stacksOf, type Template } from './synthesized.ts';

type Options = Parameters<typeof stacksOf>[0];

/** By name of the stack. */
const synthesized = (options: Options): Map<string, Template> =>
  new Map(stacksOf(options).map(({ name, template }) => [name, template]));

const prod = (more: object) => parseStage({ ...structuredClone(stageNamed('prod')), ...more });
const DATA = 'data-connections-prod-data';
const tables = ({ Resources }: Template) =>
  Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::DynamoDB::Table');

describe('the generation of the table', () => {
  test('is 1 unless the stage sets another, and an integer from 1 on', () => {
    expect(stageNamed('qa')).toMatchObject({ tableGeneration: 1, leavesFormerTable: false });
    expect(tableName(prod({ tableGeneration: 12 }))).toBe('data-connections-prod-table-12');
    for (const tableGeneration of [0, -1, 1.5, '2']) expect(() => prod({ tableGeneration })).toThrow('tableGeneration');
  });

  test('of this machine is what its environment says', () => {
    expect(tableName(localStage('2'))).toBe('data-connections-local-table-2');
    for (const unset of ['', '1']) expect(localStage(unset)).toEqual(stageNamed('local'));
    for (const wrong of ['0', 'two', '1.5']) expect(() => localStage(wrong)).toThrow('tableGeneration');
  });

  test('raised by one adds the next table to the data stack and changes nothing else there', () => {
    const before = synthesized({ stage: prod({}) }).get(DATA)!;
    const after = synthesized({ stage: prod({ tableGeneration: 2 }) }).get(DATA)!;
    const added = Object.keys(after.Resources).filter((id) => !(id in before.Resources));
    expect(added).toEqual([expect.stringMatching(/^Table2/)]);
    const { [added[0]!]: table, ...rest } = after.Resources;
    expect({ ...after, Resources: rest }).toEqual(before);
    const [[, former]] = tables(before) as [[string, Template['Resources'][string]]];
    expect(table).toMatchObject({
      Type: 'AWS::DynamoDB::Table',
      // CloudFormation imports no resource without a DeletionPolicy (AWS's documents).
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: { ...former.Properties, TableName: 'data-connections-prod-table-2' },
    });
  });

  test('can be raised again once the first table has left: again only by an import', () => {
    const before = synthesized({ stage: prod({ tableGeneration: 2, leavesFormerTable: true }) }).get(DATA)!;
    const after = synthesized({ stage: prod({ tableGeneration: 3 }) }).get(DATA)!;
    const added = Object.entries(after.Resources).filter(([id]) => !(id in before.Resources));
    expect(added.map(([, { Properties }]) => Properties!.TableName)).toEqual(['data-connections-prod-table-3']);
    expect(after.Resources).toMatchObject(before.Resources);
  });

  test('reaches every other stack, none of which names the former table', () => {
    const templates = synthesized({ stage: prod({ tableGeneration: 2 }) });
    templates.delete(DATA);
    const all = JSON.stringify([...templates.values()]);
    expect(all).not.toContain('-table-1');
    for (const stack of ['sync', 'api-control', 'api-data', 'monitoring'])
      expect(JSON.stringify(templates.get(`data-connections-prod-${stack}`))).toContain(
        'data-connections-prod-table-2',
      );
  });

  test('the former table leaves the data stack on request, and stays in the account where data are retained', () => {
    const kept = synthesized({ stage: prod({ tableGeneration: 2 }) }).get(DATA)!;
    const left = synthesized({ stage: prod({ tableGeneration: 2, leavesFormerTable: true }) }).get(DATA)!;
    const gone = tables(kept).filter(([id]) => !(id in left.Resources));
    expect(gone.map(([, { Properties, DeletionPolicy }]) => [Properties!.TableName, DeletionPolicy])).toEqual([
      ['data-connections-prod-table-1', 'RetainExceptOnCreate'],
    ]);
    expect(tables(left).map(([, { Properties }]) => Properties!.TableName)).toEqual(['data-connections-prod-table-2']);
  });
});

describe('the sweeper', () => {
  const schedules = (options: Options) => {
    const { Resources } = synthesized(options).get('data-connections-dev-sync')!;
    return Object.values(Resources).filter(({ Type }) => Type === 'AWS::Scheduler::Schedule');
  };

  test('can be switched off, which changes only its schedule, and gives a warning', () => {
    const [on] = schedules({ stage: 'dev' });
    expect(on!.Properties).not.toHaveProperty('State');
    expect(schedules({ stage: 'dev', isSweeperOff: true })).toEqual([
      { ...on, Properties: { ...on!.Properties, State: 'DISABLED' } },
    ]);
    const others = (options: Options) => {
      const templates = synthesized(options);
      templates.delete('data-connections-dev-sync');
      return [...templates];
    };
    expect(others({ stage: 'dev', isSweeperOff: true })).toEqual(others({ stage: 'dev' }));
    const warnings = (options: Options) => JSON.stringify(stacksOf(options).map(({ messages }) => messages));
    expect(warnings({ stage: 'dev', isSweeperOff: true })).toContain('has no sweeper');
    expect(warnings({ stage: 'dev' })).not.toContain('has no sweeper');
  });

  test.each([
    ['off', ['DISABLED']],
    ['on', [undefined]],
  ])('-c sweeper=%s', (sweeper, states) => {
    process.env.CDK_CONTEXT_JSON = JSON.stringify({ sweeper });
    try {
      expect(schedules({ stage: 'dev' }).map(({ Properties }) => Properties!.State)).toEqual(states);
    } finally {
      delete process.env.CDK_CONTEXT_JSON;
    }
  });

  test('any other word of the flag is refused', () => {
    process.env.CDK_CONTEXT_JSON = JSON.stringify({ sweeper: 'false' });
    try {
      expect(() => createApp({ stage: 'dev', bundleDir: null })).toThrow('-c sweeper=false: say on or off');
    } finally {
      delete process.env.CDK_CONTEXT_JSON;
    }
  });
});

/**
 * When a failed deploy can be rolled back: only if the last deployed version is known, loses nothing, and can be
 * deployed.
 */
import { describe, expect, test } from 'vitest';
import { type AssemblyStack, findWayBack, type StoredTemplate } from '#tools/operations/way-back.ts';

const SERVICE = 'data-connections-dev';

interface Planted {
  resources?: StoredTemplate['Resources'];
  exports?: string[];
  imports?: string[];
}

const stack = (id: string, { resources = {}, exports = [], imports = [] }: Planted = {}): AssemblyStack => ({
  name: `${SERVICE}-${id}`,
  template: {
    Resources: {
      ...resources,
      ...Object.fromEntries(
        imports.map((name) => [
          `Uses${name}`,
          { Type: 'AWS::Lambda::Function', Properties: { Uses: { 'Fn::ImportValue': `${SERVICE}-${name}` } } },
        ]),
      ),
    },
    Outputs: Object.fromEntries(exports.map((name) => [name, { Export: { Name: `${SERVICE}-${name}` } }])),
  },
});

const table = (TableName: string) => ({ Type: 'AWS::DynamoDB::Table', Properties: { TableName } });
const data = (more: Planted = {}) =>
  stack('data', { resources: { Table: table('t-1') }, exports: ['data:Key'], ...more });
const sync = (more: Planted = {}) => stack('sync', { imports: ['data:Key'], ...more });
const api = (more: Planted = {}) => stack('api', { imports: ['data:Key'], ...more });

const TIMES = { [`${SERVICE}-data`]: '10:00', [`${SERVICE}-sync`]: '10:05', [`${SERVICE}-api`]: null };
const KEPT = [data(), sync(), api()];
const from = (next: AssemblyStack[], kept = KEPT, deployed: Record<string, string | null> = TIMES) =>
  findWayBack({ stage: 'dev', kept: { stacks: kept, lastChanges: TIMES }, deployed, next });

test('the same stacks with other code go back as they came', () => {
  const lambda = { Code: { Type: 'AWS::Lambda::Function', Properties: { Code: 'new' } } };
  expect(from([data(), sync({ resources: lambda }), api()])).toEqual({ exists: true, first: [], stay: [] });
});

test('nothing stored: no rollback', () => {
  expect(findWayBack({ stage: 'dev', kept: null, deployed: {}, next: KEPT })).toEqual({
    exists: false,
    why: 'nothing was deployed from here before',
    isDeployed: false,
  });
});

describe('the stored version is not the deployed one', () => {
  test.each([
    ['a stack was deployed since', { ...TIMES, [`${SERVICE}-sync`]: '11:00' }, 'sync'],
    ['a stack was deleted since, or it is another account', { ...TIMES, [`${SERVICE}-data`]: null }, 'data'],
    ['a stack came since', { ...TIMES, [`${SERVICE}-api`]: '09:00' }, 'api'],
  ])('%s', (_, deployed, name) => {
    expect(from(KEPT, KEPT, deployed)).toEqual({
      exists: false,
      why: `since the last deploy from here somebody else changed ${SERVICE}-${name}, or that deploy was cut off`,
      isDeployed: false,
    });
  });
});

describe('what holds data is never taken back', () => {
  test.each<[string, Planted['resources'], RegExp]>([
    ['a table comes', { Table: table('t-1'), Table2: table('t-2') }, /data\/Table2 \(t-2\) comes\)/],
    ['a table goes', {}, /data\/Table \(t-1\) goes\)/],
    ['a table is replaced', { Table: table('t-2') }, /Table \(t-2\) comes, .*Table \(t-1\) goes/],
    ['a bucket comes', { Table: table('t-1'), Files: { Type: 'AWS::S3::Bucket' } }, /Files comes/],
    ['a key comes', { Table: table('t-1'), Key: { Type: 'AWS::KMS::Key' } }, /Key comes/],
    ['schedules come', { Table: table('t-1'), S: { Type: 'AWS::Scheduler::ScheduleGroup' } }, /S comes/],
  ])('%s', (_, resources, why) => {
    const found = from([data({ resources: resources! }), sync(), api()]);
    expect(found).toMatchObject({ exists: false, isDeployed: true, why: expect.stringMatching(why) });
  });

  test('a queue that appears or disappears contains only hints', () => {
    const next = data({ resources: { Table: table('t-1'), Queue: { Type: 'AWS::SQS::Queue' } } });
    expect(from([next, sync(), api()])).toMatchObject({ exists: true });
  });

  test('a stack that the next assembly leaves out stays, with what it holds', () => {
    const web = stack('web', { resources: { Files: { Type: 'AWS::S3::Bucket' } } });
    expect(from(KEPT, [...KEPT, web])).toEqual({ exists: true, first: [], stay: [] });
  });
});

describe('exports', () => {
  test('a new one that is imported goes last: its importers go back first', () => {
    const next = [data({ exports: ['data:Key', 'data:New'] }), sync({ imports: ['data:Key', 'data:New'] }), api()];
    expect(from(next)).toEqual({
      exists: true,
      first: [`${SERVICE}-api`, `${SERVICE}-sync`, `${SERVICE}-data`],
      stay: [],
    });
  });

  test('one that nobody imports changes no order', () => {
    expect(from([data({ exports: ['data:Key', 'data:New'] }), sync(), api()])).toMatchObject({ first: [] });
  });

  test('where each imports what the other does not export, no order is right', () => {
    const next = [data({ exports: ['data:New'] }), sync({ imports: ['data:New'] }), api({ imports: [] })];
    expect(from(next)).toMatchObject({ exists: false, why: expect.stringContaining('each assembly imports') });
  });

  test('a new stack stays, and may stay only if the stored assembly exports what it imports', () => {
    expect(from([...KEPT, stack('web', { imports: ['data:Key'] })])).toEqual({
      exists: true,
      first: [],
      stay: [`${SERVICE}-web`],
    });
    const next = [data({ exports: ['data:Key', 'data:New'] }), sync(), api(), stack('web', { imports: ['data:New'] })];
    expect(from(next)).toMatchObject({
      exists: false,
      why: 'a new stack imports what the kept assembly does not export (data:New)',
    });
  });
});

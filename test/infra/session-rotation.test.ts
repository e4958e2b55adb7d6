/** The stacks that another issuer or another secret of sessions changes, and whether the runbook names all of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stackName } from '#infra/app.ts';
import { parseStage, type Stage, stageNamed } from '#infra/stages.ts';
import { everyTemplateOf, type Template } from './synthesized.ts';

const ROOT = join(import.meta.dirname, '../..');
const PREFIX = stackName('prod', 'data').slice(0, -'data'.length);

const signIn = { authority: 'https://one.example.com', clientId: 'dashboard', scope: 'openid' };
const session = {
  algorithm: 'HS256',
  issuer: 'https://one.example.com',
  audience: 'a',
  secretParameter: '/sessions/one',
};
const prod = (more: object): Stage => parseStage({ ...structuredClone(stageNamed('prod')), session, signIn, ...more });

type Templates = ReadonlyMap<string, Template>;

const templatesOf = (more: object): Templates => everyTemplateOf(prod(more), false);
/** Names without the stage's prefix, e.g. `web`. */
const stacksWhere = (templates: Templates, holds: (template: string, stack: string) => boolean): string[] =>
  [...templates]
    .filter(([stack, template]) => holds(JSON.stringify(template), stack))
    .map(([stack]) => stack.slice(PREFIX.length))
    .sort();

const before = templatesOf({});
const changedBy = (more: object): string[] => {
  const after = templatesOf(more);
  return stacksWhere(before, (template, stack) => template !== JSON.stringify(after.get(stack)));
};

/** Stacks whose functions may read the shared secret: only functions that verify sessions. */
const verifying = stacksWhere(before, (template) => template.includes('ssm:GetParameter'));

describe('the rotation of the issuer', () => {
  test('is a deploy of all stacks, and the runbook names those that hold the old one', () => {
    const page = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8');
    const section = page.split('\n## Rotate the session issuer\n')[1]!.split(/^## /m)[0]!;
    const known = [...before.keys()].map((stack) => stack.slice(PREFIX.length));
    const named = [...section.matchAll(/`([a-z-]+)`/g)].map(([, word]) => word!).filter((word) => known.includes(word));
    const elsewhere = { ...signIn, authority: 'https://two.example.com' };
    expect([...new Set(named)].sort()).toEqual([...verifying, ...changedBy({ signIn: elsewhere })].sort());
    expect(section).toContain('`npm run deploy:stage -- <stage>`');
  });

  test('of a shared secret under another name gives every function that verifies sessions other settings', () => {
    expect(verifying).toContain('agents');
    const changed = changedBy({ session: { ...session, secretParameter: '/sessions/two' } });
    expect(changed).toEqual(expect.arrayContaining(verifying));
  });
});

/**
 * Generates `docs/permissions.md`: the permissions of every function, with resources and conditions. They come from the
 * synthesized templates of `prod`, and of `dev` for the parts that only `dev` has. The page is committed, so that every
 * change of permissions is reviewed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, stackName } from '#infra/app.ts';

export const PERMISSIONS_PAGE = 'docs/permissions.md';
const STAGE = 'prod';
/**
 * The stage from which the parts come that `prod` never has: the simulated institutions, and the function that empties
 * buckets.
 */
const OTHER_STAGE = 'dev';
const OTHER_STACKS = ['sandbox', 'data'] as const;

// biome-ignore lint/suspicious/noExplicitAny: a template is arbitrary JSON.
type PolicyJson = any;

interface PolicyEntry {
  Action: string | string[];
  Resource: PolicyJson;
  Condition?: Record<string, Record<string, PolicyJson>>;
}

const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

/** Converts a value with `Fn::ImportValue`, `Fn::GetAtt`, `Ref` or `Fn::Join` to a readable name without hashes. */
const readable = (value: PolicyJson): string => {
  if (typeof value === 'string') return value;
  const [[kind, of]] = Object.entries(value) as [[string, PolicyJson]];
  if (kind === 'Fn::Join') return of[1].map(readable).join(of[0]);
  if (kind === 'Fn::ImportValue')
    return readable(of).replace(/^.*:ExportsOutput(?:FnGetAtt|Ref)(\w+?)[0-9A-F]{8}(?:Arn)?[0-9A-F]{8}$/, '$1');
  if (kind === 'Fn::GetAtt') return of[0].replace(/[0-9A-F]{8}$/, '');
  if (kind === 'Fn::Sub') return String(of).replaceAll(/\$\{AWS::(\w+)\}/g, '{$1}');
  if (kind === 'Ref') return String(of).startsWith('AWS::') ? `{${of.slice(5)}}` : of.replace(/[0-9A-F]{8}$/, '');
  return JSON.stringify(value);
};

/** Operator of a policy's condition → readable text. */
const VERBS: Readonly<Record<string, string>> = {
  StringEquals: '=',
  StringLike: 'like',
  'ForAllValues:StringEquals': 'only',
};

const termOf = (operator: string, key: string, value: PolicyJson): string =>
  operator === 'Null'
    ? `${key} ${value === 'true' ? 'absent' : 'present'}`
    : `${key} ${VERBS[operator] ?? operator} ${list(value).map(readable).join(' or ')}`;

const conditionOf = ({ Condition = {} }: PolicyEntry): string =>
  Object.entries(Condition)
    .flatMap(([operator, tests]) => Object.entries(tests).map(([key, value]) => termOf(operator, key, value)))
    .join(', ');

const rowsOf = (functionId: string, statements: PolicyEntry[]): string[] =>
  statements.flatMap((statement) =>
    list(statement.Resource).map((resource) => {
      const actions = list(statement.Action).toSorted().join(' ');
      return `| ${functionId} | ${actions} | ${readable(resource)} | ${conditionOf(statement)} |`;
    }),
  );

/** @param templates templates of one stage */
export const permissionTable = (templates: readonly PolicyJson[]): string => {
  const rows = templates.flatMap(({ Resources }) =>
    Object.values(Resources as Record<string, PolicyJson>)
      .filter(({ Type }) => Type === 'AWS::Lambda::Function')
      .flatMap(({ Properties }) => {
        const role = Resources[Properties.Role['Fn::GetAtt'][0]];
        const statements = list(role.Properties.Policies).flatMap(
          (policy: PolicyJson) => policy.PolicyDocument.Statement,
        );
        return rowsOf(Properties.Description, statements as PolicyEntry[]);
      }),
  );
  return [
    '# What every function may do',
    '',
    `\`npm run gen\` generates this page from the templates of stage \`${STAGE}\`, and for \`sandbox\` and \`empty-bucket\` of \`${OTHER_STAGE}\`; do not edit.`,
    'It is committed so that every change of permissions is reviewed.',
    '',
    '| function | actions | resource | only where |',
    '| --- | --- | --- | --- |',
    ...rows.toSorted(),
    '',
  ].join('\n');
};

/** Returns the text of the page for the current templates. */
const permissionsPage = (): string => {
  const outdir = mkdtempSync(join(tmpdir(), 'permissions-'));
  try {
    const synth = (stage: string, hasSandbox: boolean) =>
      createApp({ stage, hasSandbox, outdir: join(outdir, stage), bundleDir: null, isValidated: false }).synth();
    const other = synth(OTHER_STAGE, true);
    const others = OTHER_STACKS.map((stack) => other.getStackByName(stackName(OTHER_STAGE, stack)));
    return permissionTable([...synth(STAGE, false).stacks, ...others].map(({ template }) => template));
  } finally {
    rmSync(outdir, { recursive: true });
  }
};

if (import.meta.main) writeFileSync(join(import.meta.dirname, '..', PERMISSIONS_PAGE), permissionsPage());

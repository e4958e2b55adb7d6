/** cdk-nag's rules of AWS Solutions over every stack: each finding is fixed, or listed here with its reason. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, test } from 'vitest';
import { createApp } from '#infra/app.ts';

interface Report {
  pluginReports: {
    pluginName: string;
    violations: { ruleName: string; violatingConstructs: { constructPath: string }[] }[];
  }[];
}

/** A rule, where it may be broken, and why that is right. */
const ACKNOWLEDGED: [rule: RegExp, where: RegExp, reason: string][] = [
  [
    /^AwsSolutions-IAM5\[Resource::\*\]$/,
    /\/Role\/Resource$/,
    'X-Ray has no resources to grant on, nor has ListSchedules: test/infra/permissions.test.ts allows nothing else.',
  ],
  [
    /^AwsSolutions-IAM5\[Resource::.*:ExportsOutputFnGetAtt(?:Documents|RawAnswers)\w+\/\*\]$/,
    /-sync\/|-api-data\/(?:Get(?:Connection)?(?:Licitacion|DocumentoLink)|DownloadDocumento|ListLicitacion\w+)\/Role\/Resource$/,
    'The objects of one bucket: their keys begin with ids that are not known at deploy.',
  ],
  [
    /^AwsSolutions-IAM5\[Resource::.*:ExportsOutputFnGetAttRawAnswers\w+\/connection-snapshots\/\*\]$/,
    /-api-control\/List(?:Connections|Coverage)\/Role\/Resource$/,
    'The snapshots of one folder: their keys are made at run time.',
  ],
  [
    /^AwsSolutions-IAM5\[Resource::.*:schedule\/.*\/\*\]$/,
    /\/Role\/Resource$/,
    'The schedules of one group, made at run time.',
  ],
  [
    /^AwsSolutions-APIG4$/,
    /-(?:api|sandbox)\/Http\/|-(?:api-control|api-data|agents)\/\w+\/Route\d*\//,
    'Functions judge credentials themselves (decisions.md §2): test/contract/credentials.test.ts asks every operation. The sandbox is an institution: whoever has a login of it may come in.',
  ],
  [
    /^AwsSolutions-S1$/,
    /-web\/Files\/Resource$/,
    'The page is the same for everybody, and CloudFront, which alone reads it, logs each request.',
  ],
  [
    /^AwsSolutions-CFR3$/,
    /-web\/Distribution\/Resource$/,
    'The rule looks for the former kind of logs, which store query strings: infra/constructs/edge-log.ts makes the other kind.',
  ],
  [
    /^AwsSolutions-CFR[12]$/,
    /-web\/Distribution\/Resource$/,
    'People sign in from wherever they are, and static files need no firewall: the API has its throttle and its sessions.',
  ],
  [
    /^AwsSolutions-CFR4$/,
    /-web\/Distribution\/Resource$/,
    'Only while infra/stages.ts names no domain of its own: with its certificate comes TLS 1.2.',
  ],
  [
    /^AwsSolutions-IAM5\[Resource::(?:<Files\w+\.Arn>|arn:.*:cdk-\w+-assets-.*)\/\*\]$/,
    /-web\/PublishDashboard\/Role\/Resource$/,
    "The page's files, whose names follow from their content, in its bucket and among the account's assets.",
  ],
  [
    /^AwsSolutions-IAM5\[Resource::<(?:Documents|RawAnswers)\w+\.Arn>\/\*\]$/,
    /-data\/EmptyBuckets\/Role\/Resource$/,
    'Whatever lies in a bucket that is about to be deleted.',
  ],
  [
    /^AwsSolutions-S1$/,
    /-data\/(?:RawAnswers|Documents)\/Resource$/,
    'Only functions reach the objects, and each access is in their logs; access logs would copy keys with ids of tenants.',
  ],
  [
    /^AwsSolutions-SQS3$/,
    /-data\/ScopesDeadLetters\/Resource$/,
    'It is a queue of dead letters; the queues of the scopes, whose it is, are in another stack, where the rule does not look.',
  ],
  [
    /^AwsSolutions-DDB3$/,
    /-sandbox\/Memories\/Resource$/,
    'What a simulated institution remembers is worth nothing after a week, and nobody would restore it.',
  ],
];

const findingsOf = (stage: string, hasSandbox = false): string[] => {
  const outdir = mkdtempSync(join(tmpdir(), 'nag-'));
  const app = createApp({ stage, hasSandbox, outdir, bundleDir: null, isValidated: false });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  // Findings fail the synthesis; the report contains all of them.
  expect(() => app.synth()).toThrow();
  const report = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8')) as Report;
  rmSync(outdir, { recursive: true });
  const { violations } = report.pluginReports.find(({ pluginName }) => pluginName === 'AwsSolutions')!;
  return violations.flatMap(({ ruleName, violatingConstructs }) =>
    violatingConstructs.map(({ constructPath }) => `${ruleName} ${constructPath}`),
  );
};

test('nothing is found but what is acknowledged, and nothing is acknowledged in vain', () => {
  const ofDevAlone = findingsOf('dev', true).filter((finding) => /-sandbox\/|\/EmptyBuckets\//.test(finding));
  const found = [...findingsOf('prod'), ...ofDevAlone];
  const isFor = ([rule, where]: (typeof ACKNOWLEDGED)[number], finding: string): boolean => {
    const [, name = '', path = ''] = /^(\S+) (\S+)$/.exec(finding) ?? [];
    return rule.test(name) && where.test(path);
  };
  expect(found.filter((finding) => !ACKNOWLEDGED.some((one) => isFor(one, finding)))).toEqual([]);
  for (const one of ACKNOWLEDGED)
    expect(
      found.some((finding) => isFor(one, finding)),
      String(one[0]),
    ).toBe(true);
}, 120_000);

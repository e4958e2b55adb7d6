/** Commands that work when pasted, in the order in which an integrator would try them. */
import type { StackFile } from './stack-file.ts';

const json = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", "'\\''")}'`;

const connectionBody = (stack: StackFile): unknown => {
  const { credentials, metadata } = stack.sandbox.tax!;
  return { external_source_code: 'tax', name: 'Mi empresa', enabled_scopes: ['rcv'], credentials, metadata };
};

const HEADING = `
Data connections, on this machine`;

const addresses = (stack: StackFile): string[] => [
  `  dashboard     ${new URL('/', stack.api).href}`,
  `  API           ${stack.api}`,
  `  webhook inbox ${stack.inbox}`,
  ...Object.entries(stack.sandbox).map(([code, { base_url }]) => `  sandbox       ${code}: ${base_url}`),
];

const lines = (stack: StackFile): string[] => [
  `API=${stack.api}`,
  `KEY=${stack.api_key}`,
  `SESSION=${stack.session}`,
  '',
  '# what can be connected',
  'curl -s $API/external-sources',
  '# receive an event when a sync ends',
  `curl -s $API/webhooks -H "authorization: Bearer $KEY" -H 'content-type: application/json' -d ${json({
    url: stack.inbox,
    event_types: ['sync.succeeded', 'sync.partial', 'sync.failed'],
  })}`,
  '# connect (a person does this: session, not key)',
  `CONNECTION=$(curl -s $API/connections -H "cookie: sb-access-token=$SESSION" -H 'content-type: application/json' -d ${json(
    connectionBody(stack),
  )} | sed 's/^{"id":"\\([^"]*\\)".*/\\1/'); echo $CONNECTION`,
  '# synchronize, and wait for the end of the run: at most two minutes',
  'curl -s -X POST $API/connections/$CONNECTION/sync -H "authorization: Bearer $KEY"',
  'for second in $(seq 120); do RUN=$(curl -s $API/connections/$CONNECTION/sync-runs -H "authorization: Bearer $KEY")',
  `  case $RUN in *'"finished_at":"'*) break ;; esac; sleep 1; done; echo "$RUN"`,
  '# read',
  'curl -s "$API/connections/$CONNECTION/tax-rcv-documents?direction=issued&limit=2" -H "authorization: Bearer $KEY"',
  'curl -s $API/connections/$CONNECTION/tax-rcv-documents/periods -H "authorization: Bearer $KEY"',
  '# what the webhook said',
  `curl -s ${stack.inbox}`,
];

export const tryIt = (stack: StackFile): string =>
  [
    HEADING,
    ...addresses(stack),
    '',
    ...(stack.sandbox.tax
      ? ['Try it (paste in another terminal), or run `npm run demo`:', '', ...lines(stack)]
      : ['The tax authority is served by SOURCE_TAX_BASE_URL: connect with credentials it knows.']),
    '',
  ].join('\n');

/**
 * Parts of the conformance suite that cannot apply, with reasons. The suite fails if one of them passes, so that no
 * exception outlives its reason. An entry is `<scenario>`, or `<scenario>:<check>` if the rest of the scenario passes.
 */
export interface Exception {
  entry: string;
  why: string;
}

const of = (why: string, ...entries: readonly string[]): Exception[] => entries.map((entry) => ({ entry, why }));

const FIXTURE_TOOL = 'It calls a tool of the suite’s own fixture, and our tools are others; the fixture’s run has it.';
const FIXTURE_PROMPT = 'It gets a prompt of the suite’s own fixture; the fixture’s run has it.';
const FIXTURE_RESOURCE = 'It reads a resource of the suite’s own fixture; the fixture’s run has it.';
const NOTHING_COMPLETED = 'We declare no completions: arguments are ids, months and words of a list.';
const NO_LOGGING = 'We declare no logging, because the service writes its own log.';
const NO_SUBSCRIPTION = 'We declare no subscriptions: a function holds no stream open.';
const ENDS_AT_ONCE =
  'A subscription ends at once with “Subscription limit reached”: a function that is paid by the millisecond holds no stream.';
const ONE_BODY =
  'The server asks the client back over a stream that stays open; a function answers in one body. Our server asks nobody.';
const DIAGNOSTIC_TOOL = 'It needs a diagnostic tool of the suite’s own fixture; the fixture’s run has it.';
const NOT_SCORED_HEADERS = 'No tool takes an argument by a header of its own.';
const NO_SESSION =
  'It warns where there is no session: requests are answered each for itself, and a session would be state.';
const NO_TASKS = 'An extension that we do not have: no tool takes longer than a request.';

const TASKS = of(
  NO_TASKS,
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-required-task-error',
  'tasks-mrtr-composition',
);

const SUBSCRIPTIONS = of(
  ENDS_AT_ONCE,
  'server-stateless:sep-2575-server-sends-subscription-ack',
  'server-stateless:sep-2575-server-tags-subscription-id',
);

const FIXTURE_CONTENT = [
  ...of(
    FIXTURE_TOOL,
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-error',
    'tools-call-with-progress',
  ),
  ...of(FIXTURE_RESOURCE, 'resources-read-text', 'resources-read-binary', 'resources-templates-read'),
  ...of(
    FIXTURE_PROMPT,
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ),
  ...of(NOTHING_COMPLETED, 'completion-complete'),
];

const ASKING_BACK = [
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
];
const SUBSCRIBING = ['resources-subscribe', 'resources-unsubscribe'];
const FIXTURE_SCHEMA = 'It looks for a tool of the suite’s own fixture that is not scored yet.';

export type Served = 'product' | 'fixture';

export const EXCEPTIONS: Readonly<Record<Served, Readonly<Record<string, readonly Exception[]>>>> = {
  product: {
    '2025-11-25': [
      ...FIXTURE_CONTENT,
      ...of(NO_LOGGING, 'logging-set-level', 'tools-call-with-logging'),
      ...of(ONE_BODY, ...ASKING_BACK),
      ...of(NO_SUBSCRIPTION, ...SUBSCRIBING),
      ...of(NO_SESSION, 'server-sse-multiple-streams'),
      ...of(FIXTURE_SCHEMA, 'json-schema-2020-12'),
    ],
    '2026-07-28': [
      ...FIXTURE_CONTENT,
      ...SUBSCRIPTIONS,
      ...of(
        DIAGNOSTIC_TOOL,
        'server-stateless:sep-2575-server-rejects-undeclared-capability',
        'server-stateless:sep-2575-missing-capability-http-400',
        'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
        'server-stateless:sep-2575-server-no-log-without-loglevel',
      ),
      ...of(
        FIXTURE_TOOL,
        'input-required-result-basic-elicitation',
        'input-required-result-basic-sampling',
        'input-required-result-basic-list-roots',
        'input-required-result-request-state',
        'input-required-result-multiple-input-requests',
        'input-required-result-multi-round',
        'input-required-result-result-type',
        'input-required-result-tampered-state',
        'input-required-result-capability-check',
        'input-required-result-missing-input-response',
        'input-required-result-ignore-extra-params',
      ),
      ...of(FIXTURE_PROMPT, 'input-required-result-non-tool-request'),
      ...of(NOT_SCORED_HEADERS, 'http-custom-header-server-validation'),
      ...of(FIXTURE_SCHEMA, 'json-schema-2020-12'),
      ...TASKS,
    ],
  },
  fixture: {
    '2025-11-25': [
      ...of(ONE_BODY, ...ASKING_BACK),
      ...of(NO_SUBSCRIPTION, ...SUBSCRIBING),
      ...of(NO_SESSION, 'server-sse-multiple-streams'),
      ...of(FIXTURE_SCHEMA, 'json-schema-2020-12'),
    ],
    '2026-07-28': [
      ...SUBSCRIPTIONS,
      ...of(NOT_SCORED_HEADERS, 'http-custom-header-server-validation'),
      ...of(FIXTURE_SCHEMA, 'json-schema-2020-12'),
      ...TASKS,
    ],
  },
};

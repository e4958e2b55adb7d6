/** Reads from the synthesized stacks which resources of a stage AWS bills. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '#infra/app.ts';

// biome-ignore lint/suspicious/noExplicitAny: a template is arbitrary JSON.
type TemplateJson = any;

interface BilledResource {
  Type: string;
  Properties?: TemplateJson;
}

export interface BilledFunction {
  memoryMb: number;
  isTraced: boolean;
  /** True if Lambda writes a log line at the start and the end of each invocation. */
  tellsInvocations: boolean;
}

export interface StageBill {
  /** Number of metrics that the alarms watch; AWS bills an alarm per metric. */
  alarms: number;
  alarmMetrics: number;
  boards: number;
  keys: number;
  /** Number of event source mappings of queues. */
  mappings: number;
  /** Firings per month of the schedules in the stage's templates, without the schedules of connections. */
  firings: number;
  /**
   * Function → its billed settings, by the function's id. The function's description in the template contains the id.
   */
  functions: ReadonlyMap<string, BilledFunction>;
}

const metricsOfAlarm = ({ Metrics }: TemplateJson): number =>
  Metrics === undefined ? 1 : Metrics.filter(({ MetricStat }: TemplateJson) => MetricStat !== undefined).length;

const MINUTES_A_MONTH = 730 * 60;

/**
 * Returns the firings per month. @throws Error for an expression other than a rate in minutes, because no worker uses
 * another kind
 */
const firingsOf = ({ ScheduleExpression }: TemplateJson): number => {
  const [, every] = /^rate\((\d+) minutes?\)$/.exec(ScheduleExpression) ?? [];
  if (every === undefined) throw new Error(`tools/cost cannot read the schedule ${ScheduleExpression}`);
  return MINUTES_A_MONTH / Number(every);
};

const settingsOf = ({ MemorySize, TracingConfig, LoggingConfig }: TemplateJson): BilledFunction => ({
  memoryMb: MemorySize,
  isTraced: TracingConfig?.Mode === 'Active',
  tellsInvocations: (LoggingConfig?.SystemLogLevel ?? 'INFO') !== 'WARN',
});

/** @param resources resources of every stack of a stage */
export const countBill = (resources: readonly BilledResource[]): StageBill => {
  const ofType = (type: string): TemplateJson[] =>
    resources.filter(({ Type }) => Type === type).map(({ Properties }) => Properties ?? {});
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
  const alarms = ofType('AWS::CloudWatch::Alarm');
  return {
    alarms: alarms.length,
    alarmMetrics: sum(alarms.map(metricsOfAlarm)),
    boards: ofType('AWS::CloudWatch::Dashboard').length,
    keys: ofType('AWS::KMS::Key').length,
    mappings: ofType('AWS::Lambda::EventSourceMapping').length,
    firings: sum(ofType('AWS::Scheduler::Schedule').map(firingsOf)),
    functions: new Map(ofType('AWS::Lambda::Function').map((fn) => [fn.Description ?? '', settingsOf(fn)])),
  };
};

const bills = new Map<string, StageBill>();

/**
 * Returns the bill of the deployed stage without the sandbox.
 * @param stage `dev` or `prod`
 */
export const billOfStage = (stage: string): StageBill => {
  const known = bills.get(stage);
  if (known !== undefined) return known;
  const outdir = mkdtempSync(join(tmpdir(), 'cost-'));
  const { stacks } = createApp({ stage, outdir, bundleDir: null, isValidated: false, hasSandbox: false }).synth();
  const resources = stacks.flatMap(({ template }) => Object.values<BilledResource>(template.Resources ?? {}));
  rmSync(outdir, { recursive: true });
  const bill = countBill(resources);
  bills.set(stage, bill);
  return bill;
};

/** What of a stage's templates is paid for, read from the synthesized stacks. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '#infra/app.ts';

// biome-ignore lint/suspicious/noExplicitAny: a template is arbitrary JSON.
type Json = any;

interface Resource {
  Type: string;
  Properties?: Json;
}

export interface FunctionSettings {
  memoryMb: number;
  isTraced: boolean;
  /** Does Lambda write a line at the start and the end of each invocation? */
  tellsInvocations: boolean;
}

export interface StageBill {
  /** An alarm is paid for by each metric that it watches. */
  alarms: number;
  alarmMetrics: number;
  boards: number;
  keys: number;
  /** Event source mappings of queues. */
  mappings: number;
  /** Firings a month of the schedules that the stage has from the start. */
  firings: number;
  /** By function id, as its description says. */
  functions: ReadonlyMap<string, FunctionSettings>;
}

const metricsOfAlarm = ({ Metrics }: Json): number =>
  Metrics === undefined ? 1 : Metrics.filter(({ MetricStat }: Json) => MetricStat !== undefined).length;

const MINUTES_A_MONTH = 730 * 60;

/** @throws Error for an expression that no worker has yet. */
const firingsOf = ({ ScheduleExpression }: Json): number => {
  const [, every] = /^rate\((\d+) minutes?\)$/.exec(ScheduleExpression) ?? [];
  if (every === undefined) throw new Error(`tools/cost cannot read the schedule ${ScheduleExpression}`);
  return MINUTES_A_MONTH / Number(every);
};

const settingsOf = ({ MemorySize, TracingConfig, LoggingConfig }: Json): FunctionSettings => ({
  memoryMb: MemorySize,
  isTraced: TracingConfig?.Mode === 'Active',
  tellsInvocations: (LoggingConfig?.SystemLogLevel ?? 'INFO') !== 'WARN',
});

/** @param resources of every stack of a stage */
export const billOf = (resources: readonly Resource[]): StageBill => {
  const ofType = (type: string): Json[] =>
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

/** @param stage its name, `dev` or `prod`: as deployed, without the sandbox */
export const billOfStage = (stage: string): StageBill => {
  const known = bills.get(stage);
  if (known !== undefined) return known;
  const outdir = mkdtempSync(join(tmpdir(), 'cost-'));
  const { stacks } = createApp({ stage, outdir, bundleDir: null, isValidated: false, hasSandbox: false }).synth();
  const resources = stacks.flatMap(({ template }) => Object.values<Resource>(template.Resources ?? {}));
  rmSync(outdir, { recursive: true });
  const bill = billOf(resources);
  bills.set(stage, bill);
  return bill;
};

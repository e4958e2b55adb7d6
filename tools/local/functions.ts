/**
 * Runs functions as Lambda does, in environments that are reused while warm. If too many environments are busy,
 * invocations wait. Event sources may not use all environments, so that some remain for the API.
 */
import { randomUUID } from 'node:crypto';
import type { VirtualClock } from './clock.ts';
import { type Environment, type InvocationResult, startEnvironment } from './function-environment.ts';
import type { FunctionLogs } from './function-logs.ts';
import type { FunctionModel } from './model.ts';

/** Highest number of additional warm environments: those that are not the only warm environment of their function. */
const WARM_SECOND_MAX = 4;
const BUSY_MAX = 32;
const BACKGROUND_MAX = 20;

export type InvocationCaller = 'api' | 'background';

export interface FunctionPool {
  /** Returns the function for a name or an ARN. Throws for an unknown function. */
  model(nameOrArn: string): FunctionModel;
  /** Resolves with the result, also when the function failed. */
  invoke(nameOrArn: string, event: unknown, caller: InvocationCaller): Promise<InvocationResult>;
  /** Number of invocations that run or wait. */
  busy(): number;
  /** Number of live environments, busy or warm. */
  size(): number;
  close(): Promise<void>;
}

interface Warm {
  name: string;
  environment: Environment;
}

const pools = (): { take(caller: InvocationCaller): Promise<void>; give(caller: InvocationCaller): void } => {
  const running = { api: 0, background: 0 };
  const waiting: { caller: InvocationCaller; go(): void }[] = [];
  const mayRun = (caller: InvocationCaller): boolean =>
    running.api + running.background < BUSY_MAX && (caller === 'api' || running.background < BACKGROUND_MAX);
  const letGo = () => {
    const index = waiting.findIndex(({ caller }) => mayRun(caller));
    if (index < 0) return;
    const [next] = waiting.splice(index, 1);
    if (!next) return;
    running[next.caller] += 1;
    next.go();
  };
  return {
    take(caller) {
      if (mayRun(caller)) {
        running[caller] += 1;
        return Promise.resolve();
      }
      return new Promise((go) => waiting.push({ caller, go }));
    },
    give(caller) {
      running[caller] -= 1;
      letGo();
    },
  };
};

export const createFunctions = (
  models: readonly FunctionModel[],
  options: {
    clock: VirtualClock;
    region: string;
    logs: FunctionLogs;
    /** Highest number of warm environments; by default one for each function. */
    warmMax?: number;
    /** Resolves when the function's code is in its folder. If `prepare` is absent, the code must already be there. */
    prepare?(model: FunctionModel): Promise<void>;
    /** Starts an environment; tests replace it. */
    start?: typeof startEnvironment;
    onFailure(model: FunctionModel, result: InvocationResult): void;
  },
): FunctionPool => {
  const byName = new Map(models.flatMap((model) => [[model.name, model] as const, [model.arn, model] as const]));
  const warmMax = Math.min(options.warmMax ?? Number.POSITIVE_INFINITY, models.length);
  const { start = startEnvironment } = options;
  const slots = pools();
  /** Warm environments, the least recently used first. */
  const warm: Warm[] = [];
  const alive = new Set<Environment>();
  let busy = 0;
  let closed = false;

  const modelOf = (nameOrArn: string): FunctionModel => {
    const model = byName.get(nameOrArn);
    if (!model) throw new Error(`function ${nameOrArn} is not in the template`);
    return model;
  };

  const environmentFor = (model: FunctionModel): Environment => {
    const index = warm.findLastIndex(({ name }) => name === model.name);
    const [found] = index < 0 ? [] : warm.splice(index, 1);
    if (found && !found.environment.isDead) return found.environment;
    const onOutput = (text: Buffer) => options.logs.write(model.id, text);
    const environment = start(model, { clock: options.clock, region: options.region, onOutput });
    alive.add(environment);
    return environment;
  };

  const retire = (environment: Environment) => {
    alive.delete(environment);
    void environment.end();
  };

  const release = (model: FunctionModel, environment: Environment) => {
    if (environment.isDead || closed) return retire(environment);
    warm.push({ name: model.name, environment });
    const second = warm.filter(({ name }, index) => warm.findLastIndex((each) => each.name === name) !== index);
    if (second.length <= WARM_SECOND_MAX && warm.length <= warmMax) return;
    const [least] = warm.splice(second[0] ? warm.indexOf(second[0]) : 0, 1);
    retire(least!.environment);
  };

  const report = (model: FunctionModel, result: InvocationResult, isCold: boolean) => {
    const record = {
      requestId: result.requestId,
      status: 'error' in result ? 'error' : 'success',
      metrics: { durationMs: result.durationMs, coldStart: isCold },
      ...('error' in result ? { error: result.error } : {}),
    };
    options.logs.write(
      model.id,
      `${JSON.stringify({ type: 'platform.report', time: new Date().toISOString(), record })}\n`,
    );
    if ('error' in result && !closed) options.onFailure(model, result);
  };

  return {
    model: modelOf,
    busy: () => busy,
    size: () => alive.size,
    async invoke(nameOrArn, event, caller) {
      const model = modelOf(nameOrArn);
      busy += 1;
      await slots.take(caller);
      try {
        const unprepared = await options.prepare?.(model).then(
          () => undefined,
          ({ message }: Error) => ({ errorType: 'Runtime.ImportModuleError', errorMessage: message }),
        );
        const error = closed ? { errorType: 'Closed', errorMessage: 'the stack is closing' } : unprepared;
        if (error) return { requestId: randomUUID(), durationMs: 0, error };
        const before = alive.size;
        const environment = environmentFor(model);
        const isCold = alive.size > before;
        const result = await environment.invoke(JSON.stringify(event));
        report(model, result, isCold);
        release(model, environment);
        return result;
      } finally {
        slots.give(caller);
        busy -= 1;
      }
    },
    async close() {
      closed = true;
      await Promise.all([...alive].map((environment) => environment.end()));
      alive.clear();
    },
  };
};

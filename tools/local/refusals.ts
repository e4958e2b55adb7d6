/** Refuses at the start every template that AWS would refuse at a deploy, so that errors are found on this machine. */
import type { FunctionModel, LocalModel, MappingModel, QueueModel } from './model.ts';
import { TemplateRefused } from './template.ts';

/** Limits of Lambda for an event source mapping of SQS, and for a function. */
const BATCH_SIZE_WITHOUT_WINDOW_MAX = 10;
const CONCURRENCY_MIN = 2;
const CONCURRENCY_MAX = 1_000;
const FUNCTION_TIMEOUT_MS_MAX = 900_000;
/** Quota of an HTTP API for routes. */
const ROUTES_MAX = 300;

const mappingRefusal = (
  { batchSize, maxConcurrency }: MappingModel,
  worker: FunctionModel,
  queue: QueueModel,
): string | undefined => {
  if (worker.timeoutMs > queue.visibilityMs)
    return `its time-out of ${worker.timeoutMs / 1000} s is above the visibility time-out of queue ${queue.name} (${queue.visibilityMs / 1000} s)`;
  if (batchSize < 1) return `a batch size of ${batchSize} is below 1`;
  if (batchSize > BATCH_SIZE_WITHOUT_WINDOW_MAX)
    return `a batch size of ${batchSize}, above ${BATCH_SIZE_WITHOUT_WINDOW_MAX}, needs a batching window`;
  if (maxConcurrency < CONCURRENCY_MIN || maxConcurrency > CONCURRENCY_MAX)
    return `a maximum concurrency of ${maxConcurrency} is outside ${CONCURRENCY_MIN}..${CONCURRENCY_MAX}`;
  return undefined;
};

const refuseMappings = (model: LocalModel, functions: ReadonlyMap<string, FunctionModel>): void => {
  const queues = new Map(model.queues.map((queue) => [queue.arn, queue]));
  for (const mapping of model.mappings) {
    const worker = functions.get(mapping.functionArn);
    const queue = queues.get(mapping.queueArn);
    if (!worker || !queue)
      throw new TemplateRefused(
        `event source ${mapping.queueArn} → ${mapping.functionArn}: one of them does not exist`,
      );
    const refusal = mappingRefusal(mapping, worker, queue);
    if (refusal) throw new TemplateRefused(`function ${worker.name}: ${refusal}; AWS refuses this at deploy`);
  }
};

const refuseRoutes = ({ routes }: LocalModel['api'], functions: ReadonlyMap<string, FunctionModel>): void => {
  for (const { routeKey, functionArn } of routes)
    if (!functions.has(functionArn)) throw new TemplateRefused(`route ${routeKey}: ${functionArn} is not there`);
  if (routes.length > ROUTES_MAX)
    throw new TemplateRefused(`${routes.length} routes are more than the ${ROUTES_MAX} of an HTTP API`);
};

/**
 * Returns the model unchanged if AWS would accept it. Throws `TemplateRefused` with the name of the resource that AWS
 * would refuse.
 */
export const refuseWhatAwsRefuses = (model: LocalModel): LocalModel => {
  const functions = new Map(model.functions.flatMap((each) => [[each.arn, each] as const, [each.name, each] as const]));
  for (const { name, timeoutMs } of model.functions)
    if (timeoutMs > FUNCTION_TIMEOUT_MS_MAX) throw new TemplateRefused(`function ${name}: time-out above 15 minutes`);
  refuseMappings(model, functions);
  refuseRoutes(model.api, functions);
  return model;
};

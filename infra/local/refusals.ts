/** What AWS refuses at deploy is refused at start, so that it is found on this machine. */
import type { FunctionModel, LocalModel, MappingModel, QueueModel } from './model.ts';
import { TemplateRefused } from './template.ts';

/** Lambda's own bounds of an SQS event source mapping. */
const BATCH_SIZE_MAX = 10_000;
const BATCH_SIZE_WITHOUT_WINDOW_MAX = 10;
const CONCURRENCY_MIN = 2;
const CONCURRENCY_MAX = 1_000;
const FUNCTION_TIMEOUT_MS_MAX = 900_000;
/** HTTP API's quota of routes. */
const ROUTES_MAX = 300;

const mappingRefusal = (
  { batchSize, windowMs, maxConcurrency }: MappingModel,
  worker: FunctionModel,
  queue: QueueModel,
): string | undefined => {
  if (worker.timeoutMs > queue.visibilityMs)
    return `its time-out of ${worker.timeoutMs / 1000} s is above the visibility time-out of queue ${queue.name} (${queue.visibilityMs / 1000} s)`;
  if (batchSize < 1 || batchSize > BATCH_SIZE_MAX)
    return `a batch size of ${batchSize} is outside 1..${BATCH_SIZE_MAX}`;
  if (batchSize > BATCH_SIZE_WITHOUT_WINDOW_MAX && windowMs === 0)
    return `a batch size of ${batchSize}, above ${BATCH_SIZE_WITHOUT_WINDOW_MAX}, needs a batching window`;
  if (maxConcurrency !== undefined && (maxConcurrency < CONCURRENCY_MIN || maxConcurrency > CONCURRENCY_MAX))
    return `a maximum concurrency of ${maxConcurrency} is outside ${CONCURRENCY_MIN}..${CONCURRENCY_MAX}`;
  return undefined;
};

/** The model itself when AWS would take it. Throws `TemplateRefused` naming the function. */
export const refuseWhatAwsRefuses = (model: LocalModel): LocalModel => {
  const functions = new Map(model.functions.flatMap((each) => [[each.arn, each] as const, [each.name, each] as const]));
  const queues = new Map(model.queues.map((queue) => [queue.arn, queue]));
  for (const { name, timeoutMs } of model.functions)
    if (timeoutMs > FUNCTION_TIMEOUT_MS_MAX) throw new TemplateRefused(`function ${name}: time-out above 15 minutes`);
  for (const mapping of model.mappings) {
    const worker = functions.get(mapping.functionArn);
    const queue = queues.get(mapping.queueArn);
    if (!worker || !queue)
      throw new TemplateRefused(`event source ${mapping.queueArn} → ${mapping.functionArn}: one of them is not there`);
    const refusal = mappingRefusal(mapping, worker, queue);
    if (refusal) throw new TemplateRefused(`function ${worker.name}: ${refusal}; AWS refuses this at deploy`);
  }
  for (const { routeKey, functionArn } of model.api.routes)
    if (!functions.has(functionArn)) throw new TemplateRefused(`route ${routeKey}: ${functionArn} is not there`);
  if (model.api.routes.length > ROUTES_MAX)
    throw new TemplateRefused(`${model.api.routes.length} routes are more than the ${ROUTES_MAX} of an HTTP API`);
  for (const { name, attributes } of model.queues) {
    const redrive = attributes.RedrivePolicy;
    if (redrive && !queues.has((JSON.parse(redrive) as { deadLetterTargetArn: string }).deadLetterTargetArn))
      throw new TemplateRefused(`queue ${name}: its dead-letter queue is not there`);
  }
  return model;
};

/**
 * Writes structured logs: level, message, time, the X-Ray trace of the invocation, and the fields of the allow-list.
 * The allow-list is applied to the finished line, so that no code can bypass it.
 */
import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';
import { contextFields } from './log-context.ts';
import { allowedFields, type LogFields } from './log-fields.ts';
import { SERVICE } from './metric-catalogue.ts';

export { describeError } from './describe-error.ts';
export type { LogFields } from './log-fields.ts';

class AllowListFormatter extends LogFormatter {
  formatAttributes(attributes: UnformattedAttributes, additional: LogAttributes): LogItem {
    const { logLevel: level, message, timestamp, serviceName: service, xRayTraceId: xray_trace_id } = attributes;
    const line = { level, message, timestamp: this.formatTimestamp(timestamp), service, xray_trace_id };
    return new LogItem({ attributes: { ...line, ...allowedFields({ ...contextFields(), ...additional }) } });
  }
}

let powertools: Logger | undefined;
const logger = (): Logger => {
  powertools ??= new Logger({ serviceName: SERVICE, logFormatter: new AllowListFormatter() });
  return powertools;
};

/** Messages are literals without interpolated values (a test checks this). */
export const log = {
  info: (message: string, fields: LogFields = {}): void => logger().info(message, { ...fields }),
  warn: (message: string, fields: LogFields = {}): void => logger().warn(message, { ...fields }),
  error: (message: string, fields: LogFields = {}): void => logger().error(message, { ...fields }),
};

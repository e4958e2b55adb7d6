/**
 * Structured logs. Only fields of the allow-list leave: a payload, credential or token handed in by mistake is dropped,
 * not printed (lessons.md B14).
 */
import { Logger } from '@aws-lambda-powertools/logger';

export interface LogFields {
  request_id?: string | undefined;
  organization_id?: string | undefined;
  connection_id?: string | undefined;
  run_id?: string | undefined;
  scope?: string | undefined;
  period?: string | undefined;
  endpoint_id?: string | undefined;
  delivery_id?: string | undefined;
  raw_payload_id?: string | undefined;
  operation?: string | undefined;
  status?: number | string | undefined;
  code?: string | undefined;
  attempt?: number | undefined;
  duration_ms?: number | undefined;
  count?: number | undefined;
  error_name?: string | undefined;
  /** Stack of one of our own errors: names files and lines, never values. */
  error_at?: string | undefined;
}

const ALLOWED = new Set<keyof LogFields>([
  'request_id',
  'organization_id',
  'connection_id',
  'run_id',
  'scope',
  'period',
  'endpoint_id',
  'delivery_id',
  'raw_payload_id',
  'operation',
  'status',
  'code',
  'attempt',
  'duration_ms',
  'count',
  'error_name',
  'error_at',
]);

let powertools: Logger | undefined;
const logger = (): Logger => {
  powertools ??= new Logger({ serviceName: 'data-connections' });
  return powertools;
};

const allowed = (fields: LogFields): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => ALLOWED.has(name as never) && value !== undefined),
  );

export const log = {
  info: (message: string, fields: LogFields = {}): void => logger().info(message, allowed(fields)),
  warn: (message: string, fields: LogFields = {}): void => logger().warn(message, allowed(fields)),
  error: (message: string, fields: LogFields = {}): void => logger().error(message, allowed(fields)),
};

/** Name and place of an unknown error. Its message stays out: it may quote what it choked on. */
export const describeError = (error: unknown): Pick<LogFields, 'error_name' | 'error_at'> => {
  if (!(error instanceof Error)) return { error_name: typeof error };
  const at = (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 4)
    .map((line) => line.trim())
    .join(' < ');
  return { error_name: error.name, error_at: at };
};

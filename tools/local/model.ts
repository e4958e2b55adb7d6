/** The content of the assembly after every reference is resolved to a local name. The local runner is built from it. */
import type * as z from 'zod';
import type { ScheduleProperties, TableProperties } from './resources.ts';

export interface FunctionModel {
  /** Function id, which is also the name of its log file. */
  id: string;
  name: string;
  arn: string;
  codeFolder: string;
  timeoutMs: number;
  memoryMb: number;
  environment: Readonly<Record<string, string>>;
}

export interface QueueModel {
  name: string;
  arn: string;
  /** Attributes for the call of SQS's CreateQueue. */
  attributes: Readonly<Record<string, string>>;
  visibilityMs: number;
}

export interface MappingModel {
  queueArn: string;
  functionArn: string;
  batchSize: number;
  maxConcurrency: number;
}

export type TableModel = z.infer<typeof TableProperties> & { name: string };

export type ScheduleModel = z.infer<typeof ScheduleProperties> & { Name: string };

export interface RouteModel {
  /** Method and path such as `GET /items/{id}`, or `$default`. */
  routeKey: string;
  functionArn: string;
}

export interface ApiModel {
  id: string;
  stage: string;
  routes: RouteModel[];
  /** Limits for the requests to the whole API: rate per second, and burst. */
  throttle: { rateLimit: number; burstLimit: number };
}

export interface LocalModel {
  functions: FunctionModel[];
  queues: QueueModel[];
  mappings: MappingModel[];
  tables: TableModel[];
  buckets: string[];
  schedules: ScheduleModel[];
  scheduleGroups: string[];
  api: ApiModel;
}

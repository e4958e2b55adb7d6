/** Content of the assembly with every name resolved, from which the local runner is built. */
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
  /** Attributes for SQS's CreateQueue. */
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
  /** Rate per second and burst of requests to the whole API. */
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

/** What the assembly asks for, with every name resolved: what the rest of the local runner is built from. */
import type * as z from 'zod';
import type { ScheduleProperties, TableProperties } from './resources.ts';

export interface FunctionModel {
  /** Function id = name of its log file. */
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
  /** As SQS's CreateQueue takes them. */
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
  /** `GET /items/{id}`, `$default`. */
  routeKey: string;
  functionArn: string;
}

export interface ApiModel {
  id: string;
  stage: string;
  routes: RouteModel[];
  /** Requests a second and at once, of the stage as a whole. */
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

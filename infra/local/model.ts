/** What the assembly asks for, with every name resolved: what the rest of the local runner is built from. */
import type * as z from 'zod';
import type { CorsProperties, ScheduleProperties, TableProperties } from './resources.ts';

export interface FunctionModel {
  /** Function id = name of its log file. */
  id: string;
  name: string;
  arn: string;
  /** `file.export`, as Lambda reads it. */
  handler: string;
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
  windowMs: number;
  reportsItemFailures: boolean;
  maxConcurrency: number | undefined;
}

export type TableModel = z.infer<typeof TableProperties> & { name: string };

export type ScheduleModel = z.infer<typeof ScheduleProperties> & { Name: string };

export interface RouteModel {
  /** `GET /items/{id}`, `ANY /{proxy+}`, `$default`. */
  routeKey: string;
  functionArn: string;
  timeoutMs: number;
}

export interface ApiModel {
  id: string;
  stage: string;
  routes: RouteModel[];
  /** Requests a second and at once, of the stage as a whole. */
  throttle: { rateLimit: number; burstLimit: number } | undefined;
  cors: z.infer<typeof CorsProperties> | undefined;
}

export interface LocalModel {
  region: string;
  account: string;
  functions: FunctionModel[];
  queues: QueueModel[];
  mappings: MappingModel[];
  tables: TableModel[];
  buckets: string[];
  schedules: ScheduleModel[];
  scheduleGroups: string[];
  api: ApiModel;
}

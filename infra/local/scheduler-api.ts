/** Scheduler's REST JSON API, as far as schedules go, so that @aws-sdk/client-scheduler works unchanged. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod';
import type { VirtualClock } from './clock.ts';
import { readBody } from './http-api.ts';
import { InvalidExpression, nextFiringMs } from './schedule-expressions.ts';
import { ScheduleBody, type ScheduleStore, type StoredSchedule } from './schedule-store.ts';
import { type Scheduler, scheduleArn } from './scheduler.ts';

const NAME = /^[0-9a-zA-Z-_.]{1,64}$/;
const BODY_BYTES_MAX = 512 * 1024;
const PAGE_SIZE_MAX = 100;

class SchedulerError extends Error {
  readonly status: number;
  readonly type: string;
  constructor(status: number, type: string, message: string) {
    super(message);
    this.name = type;
    this.type = type;
    this.status = status;
  }
}

const invalid = (message: string) => new SchedulerError(400, 'ValidationException', message);
const absent = (what: string) => new SchedulerError(404, 'ResourceNotFoundException', `${what} does not exist.`);

export interface SchedulerApiOptions {
  store: ScheduleStore;
  scheduler: Scheduler;
  clock: VirtualClock;
  /** Besides `default`. */
  groups: readonly string[];
  region: string;
  account: string;
}

interface Call {
  name: string;
  query: URLSearchParams;
  body: unknown;
}

type Answer = Record<string, unknown>;

const operations = (options: SchedulerApiOptions) => {
  const { store, scheduler, clock } = options;
  const groups = new Set(['default', ...options.groups]);
  const arnOf = (group: string, name: string) => scheduleArn(options.region, options.account, group, name);

  const found = (group: string, name: string): StoredSchedule => {
    const schedule = store.find(group, name);
    if (!schedule) throw absent(`Schedule ${name}`);
    return schedule;
  };

  const parse = ({ name, body }: Call): z.infer<typeof ScheduleBody> => {
    const parsed = ScheduleBody.safeParse(body);
    if (!parsed.success) throw invalid(z.prettifyError(parsed.error));
    const { ScheduleExpression, ScheduleExpressionTimezone, GroupName } = parsed.data;
    if (!groups.has(GroupName)) throw absent(`Schedule group ${GroupName}`);
    if (!NAME.test(name)) throw invalid(`Name ${name} must satisfy regular expression pattern: ${NAME.source}`);
    const timing = { startMs: undefined, endMs: undefined, createdMs: 0 };
    try {
      nextFiringMs({ expression: ScheduleExpression, timezone: ScheduleExpressionTimezone, ...timing }, 0);
    } catch (error) {
      if (error instanceof InvalidExpression) throw invalid(error.message);
      throw invalid(`Invalid schedule expression or time zone: ${(error as Error).message}`);
    }
    return parsed.data;
  };

  const put = (schedule: StoredSchedule): Answer => {
    store.put(schedule);
    scheduler.changed(schedule.GroupName, schedule.Name);
    return { ScheduleArn: arnOf(schedule.GroupName, schedule.Name) };
  };

  const view = ({ created_ms, modified_ms, fired_through_ms: _, ...schedule }: StoredSchedule): Answer => ({
    ...schedule,
    Arn: arnOf(schedule.GroupName, schedule.Name),
    CreationDate: created_ms / 1000,
    LastModificationDate: modified_ms / 1000,
  });

  return {
    create(call: Call): Answer {
      const body = parse(call);
      if (store.find(body.GroupName, call.name))
        throw new SchedulerError(409, 'ConflictException', `Schedule ${call.name} already exists.`);
      const nowMs = clock.nowMs();
      // A start in the past is not made up for.
      const firedThrough = body.StartDate == null ? null : nowMs - 1;
      return put({ ...body, Name: call.name, created_ms: nowMs, modified_ms: nowMs, fired_through_ms: firedThrough });
    },
    /** Replaces every field; what is not sent falls back to its default. */
    update(call: Call): Answer {
      const body = parse(call);
      const { created_ms } = found(body.GroupName, call.name);
      const nowMs = clock.nowMs();
      return put({ ...body, Name: call.name, created_ms, modified_ms: nowMs, fired_through_ms: nowMs });
    },
    get: ({ name, query }: Call): Answer => view(found(query.get('groupName') ?? 'default', name)),
    delete({ name, query }: Call): Answer {
      const group = query.get('groupName') ?? 'default';
      found(group, name);
      store.delete(group, name);
      scheduler.changed(group, name);
      return {};
    },
    list({ query }: Call): Answer {
      const limit = Math.min(PAGE_SIZE_MAX, Number(query.get('MaxResults') ?? PAGE_SIZE_MAX));
      const matching = store
        .all()
        .filter(({ GroupName }) => GroupName === (query.get('ScheduleGroup') ?? GroupName))
        .filter(({ State }) => State === (query.get('State') ?? State))
        .filter(({ Name }) => Name.startsWith(query.get('NamePrefix') ?? ''))
        .map((schedule) => ({ ...view(schedule), key: `${schedule.GroupName}/${schedule.Name}` }))
        .filter(({ key }) => key > (query.get('NextToken') ?? ''))
        .sort((a, b) => (a.key < b.key ? -1 : 1));
      const page = matching.slice(0, limit);
      return {
        Schedules: page.map(({ key: _, ...schedule }) => schedule),
        ...(matching.length > limit ? { NextToken: page.at(-1)?.key } : {}),
      };
    },
  };
};

const answer = async (api: ReturnType<typeof operations>, request: IncomingMessage): Promise<Answer> => {
  // Not `new URL`: it would take a schedule named `..` for the folder above.
  const [pathname = '', search] = (request.url ?? '/').split('?');
  const text = (await readBody(request, BODY_BYTES_MAX)).toString('utf8');
  const [, resource, encoded = ''] = pathname.split('/');
  const call: Call = {
    name: decodeURIComponent(encoded),
    query: new URLSearchParams(search),
    body: text === '' ? {} : JSON.parse(text),
  };
  if (resource === 'schedules') {
    if (encoded === '' && request.method === 'GET') return api.list(call);
    if (request.method === 'POST') return api.create(call);
    if (request.method === 'PUT') return api.update(call);
    if (request.method === 'GET') return api.get(call);
    if (request.method === 'DELETE') return api.delete(call);
  }
  throw invalid(`${request.method} ${pathname} is unknown to the local Scheduler`);
};

const reply = (response: ServerResponse, status: number, body: Answer, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

export interface SchedulerServer {
  endpoint: string;
  close(): Promise<void>;
}

/** Listens first, serves once there is a scheduler: functions get the endpoint in their environment. */
export const listenScheduler = async (): Promise<SchedulerServer & { serve(options: SchedulerApiOptions): void }> => {
  let api: ReturnType<typeof operations> | undefined;
  const server = createServer(async (request, response) => {
    try {
      if (!api) throw new SchedulerError(503, 'InternalServerException', 'starting');
      reply(response, 200, await answer(api, request));
    } catch (error) {
      const refused =
        error instanceof SchedulerError ? error : error instanceof SyntaxError ? invalid(error.message) : undefined;
      if (!refused) console.error('scheduler:', error);
      const type = refused?.type ?? 'InternalServerException';
      const message = refused?.message ?? 'internal error';
      reply(response, refused?.status ?? 500, { Message: message }, { 'x-amzn-errortype': type });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    endpoint: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    serve(options) {
      api = operations(options);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

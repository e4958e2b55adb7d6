/**
 * Scheduler's REST JSON API, limited to the operations on schedules; @aws-sdk/client-scheduler works with it unchanged.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod';
import { LOCAL_ACCOUNT, LOCAL_REGION } from './assembly.ts';
import type { VirtualClock } from './clock.ts';
import { readBody } from './http-api.ts';
import { type LoopbackServer, listenOnLoopback } from './loopback-server.ts';
import { ScheduleBody, type ScheduleStore, type StoredSchedule } from './schedule-store.ts';
import type { Scheduler } from './scheduler.ts';

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

interface SchedulerApiOptions {
  store: ScheduleStore;
  scheduler: Scheduler;
  clock: VirtualClock;
  /** Names of the groups that exist in addition to `default`. */
  groups: readonly string[];
}

interface SchedulerCall {
  name: string;
  query: URLSearchParams;
  body: unknown;
}

type SchedulerAnswer = Record<string, unknown>;

const operations = (options: SchedulerApiOptions) => {
  const { store, scheduler, clock } = options;
  const groups = new Set(['default', ...options.groups]);
  const arnOf = (group: string, name: string): string =>
    `arn:aws:scheduler:${LOCAL_REGION}:${LOCAL_ACCOUNT}:schedule/${group}/${name}`;

  const found = (group: string, name: string): StoredSchedule => {
    const schedule = store.find(group, name);
    if (!schedule) throw absent(`Schedule ${name}`);
    return schedule;
  };

  const parse = ({ name, body }: SchedulerCall): z.infer<typeof ScheduleBody> => {
    const parsed = ScheduleBody.safeParse(body);
    if (!parsed.success) throw invalid(z.prettifyError(parsed.error));
    const { GroupName } = parsed.data;
    if (!groups.has(GroupName)) throw absent(`Schedule group ${GroupName}`);
    if (!NAME.test(name)) throw invalid(`Name ${name} must satisfy regular expression pattern: ${NAME.source}`);
    return parsed.data;
  };

  const put = (schedule: StoredSchedule): SchedulerAnswer => {
    store.put(schedule);
    scheduler.changed(schedule.GroupName, schedule.Name);
    return { ScheduleArn: arnOf(schedule.GroupName, schedule.Name) };
  };

  const view = ({ created_ms, modified_ms, fired_through_ms: _, ...schedule }: StoredSchedule): SchedulerAnswer => ({
    ...schedule,
    Arn: arnOf(schedule.GroupName, schedule.Name),
    CreationDate: created_ms / 1000,
    LastModificationDate: modified_ms / 1000,
  });

  return {
    create(call: SchedulerCall): SchedulerAnswer {
      const body = parse(call);
      if (store.find(body.GroupName, call.name))
        throw new SchedulerError(409, 'ConflictException', `Schedule ${call.name} already exists.`);
      const nowMs = clock.nowMs();
      // The schedule counts as fired until now. If its start is in the past, the missed firings are therefore skipped.
      return put({ ...body, Name: call.name, created_ms: nowMs, modified_ms: nowMs, fired_through_ms: nowMs - 1 });
    },
    /** Replaces every field of the schedule. A field that the request omits gets its default. */
    update(call: SchedulerCall): SchedulerAnswer {
      const body = parse(call);
      const { created_ms } = found(body.GroupName, call.name);
      const nowMs = clock.nowMs();
      return put({ ...body, Name: call.name, created_ms, modified_ms: nowMs, fired_through_ms: nowMs });
    },
    get: ({ name, query }: SchedulerCall): SchedulerAnswer => view(found(query.get('groupName') ?? 'default', name)),
    delete({ name, query }: SchedulerCall): SchedulerAnswer {
      const group = query.get('groupName') ?? 'default';
      found(group, name);
      store.delete(group, name);
      scheduler.changed(group, name);
      return {};
    },
    list({ query }: SchedulerCall): SchedulerAnswer {
      for (const filter of ['State', 'NamePrefix'])
        if (query.has(filter)) throw invalid(`${filter} is unknown to the local Scheduler`);
      const limit = Math.min(PAGE_SIZE_MAX, Number(query.get('MaxResults') ?? PAGE_SIZE_MAX));
      const matching = store
        .all()
        .filter(({ GroupName }) => GroupName === (query.get('ScheduleGroup') ?? GroupName))
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

const METHODS = { POST: 'create', PUT: 'update', GET: 'get', DELETE: 'delete' } as const;

const answer = async (api: ReturnType<typeof operations>, request: IncomingMessage): Promise<SchedulerAnswer> => {
  // The path is split here, because `new URL` would resolve a schedule named `..` to the parent folder.
  const [pathname = '', search] = (request.url ?? '/').split('?');
  const text = (await readBody(request, BODY_BYTES_MAX)).toString('utf8');
  const [, resource, encoded = ''] = pathname.split('/');
  const call: SchedulerCall = {
    name: decodeURIComponent(encoded),
    query: new URLSearchParams(search),
    body: text === '' ? {} : JSON.parse(text),
  };
  const method = METHODS[request.method as keyof typeof METHODS];
  if (resource !== 'schedules' || method === undefined)
    throw invalid(`${request.method} ${pathname} is unknown to the local Scheduler`);
  return method === 'get' && encoded === '' ? api.list(call) : api[method](call);
};

const reply = (
  response: ServerResponse,
  status: number,
  body: SchedulerAnswer,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

const toSchedulerError = (error: unknown): SchedulerError => {
  if (error instanceof SchedulerError) return error;
  if (error instanceof SyntaxError) return invalid(error.message);
  console.error('scheduler:', error);
  return new SchedulerError(500, 'InternalServerException', 'internal error');
};

interface SchedulerServer extends LoopbackServer {
  serve(options: SchedulerApiOptions): void;
}

/**
 * Starts to listen, because functions need the API's address in their environment. Requests are served only after the
 * scheduler exists.
 */
export const listenScheduler = async (): Promise<SchedulerServer> => {
  let api: ReturnType<typeof operations> | undefined;
  const server = createServer(async (request, response) => {
    try {
      if (!api) throw new SchedulerError(503, 'InternalServerException', 'starting');
      reply(response, 200, await answer(api, request));
    } catch (error) {
      const { status, type, message } = toSchedulerError(error);
      reply(response, status, { Message: message }, { 'x-amzn-errortype': type });
    }
  });
  return {
    ...(await listenOnLoopback(server)),
    serve(options) {
      api = operations(options);
    },
  };
};

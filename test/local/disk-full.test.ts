/** A full disk: `/dev/full` takes no byte, like a file system without room. Each lost write is reported in one line. */
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createClock } from '#tools/local/clock.ts';
import { keptSecret } from '#tools/local/data-folder.ts';
import { openFunctionLogs } from '#tools/local/function-logs.ts';
import { startQueues } from '#tools/local/queues.ts';
import { openScheduleStore, type StoredSchedule } from '#tools/local/schedule-store.ts';
import { startScheduler } from '#tools/local/scheduler.ts';
import { temporaryFolder } from './tiny-stack.ts';

const FULL = '/dev/full';
const NO_ROOM = 'ENOSPC: no space left on device';

let told: string[];
beforeEach(() => {
  told = [];
  vi.spyOn(console, 'error').mockImplementation((line) => told.push(String(line)));
});

const SCHEDULE: StoredSchedule = {
  Name: 'a',
  GroupName: 'default',
  ScheduleExpression: 'rate(60 minutes)',
  ScheduleExpressionTimezone: 'UTC',
  StartDate: null,
  State: 'ENABLED',
  ActionAfterCompletion: 'NONE',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: { Arn: 'arn:aws:sqs:us-east-1:000000000000:q', RoleArn: 'arn:aws:iam::000000000000:role/r', Input: 'x' },
  created_ms: 0,
  modified_ms: 0,
  fired_through_ms: 0,
};

describe.runIf(existsSync(FULL))('on a full disk', () => {
  test('a function’s lines are lost, in one line, until there is room again', () => {
    const folder = join(temporaryFolder(), 'logs');
    const logs = openFunctionLogs(folder);
    symlinkSync(FULL, join(folder, 'f.log'));
    logs.write('f', 'first\n');
    logs.write('f', 'second\n');
    expect(told).toEqual([`function logs cannot be written, the stack goes on: ${NO_ROOM}, write`]);
    rmSync(join(folder, 'f.log'));
    logs.write('f', 'third\n');
    expect(readFileSync(join(folder, 'f.log'), 'utf8')).toBe('third\n');
    rmSync(join(folder, 'f.log'));
    symlinkSync(FULL, join(folder, 'f.log'));
    logs.write('f', 'fourth\n');
    expect(told).toHaveLength(2);
  });

  test('time continues, and a jump reaches every process', () => {
    vi.useFakeTimers();
    try {
      const folder = temporaryFolder();
      const clock = createClock(join(folder, 'clock.json'));
      symlinkSync(FULL, join(folder, 'clock.json.new'));
      const jumped = vi.fn();
      clock.onJump(jumped);
      clock.advance(5_000);
      expect(jumped).toHaveBeenCalledTimes(1);
      expect(() => vi.advanceTimersByTime(3_000)).not.toThrow();
      clock.close();
      expect(told).toEqual([`the clock cannot be written, the stack goes on: ${NO_ROOM}, write`]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a schedule fires although its time cannot be stored', async () => {
    const folder = temporaryFolder();
    const clock = createClock(join(folder, 'clock.json'));
    const store = openScheduleStore(join(folder, 'schedules'));
    const put = vi.fn(() => writeFileSync(FULL, 'x'));
    const fire = vi.fn(async () => {});
    const full = { ...store, all: () => [SCHEDULE, { ...SCHEDULE, Name: 'b' }], put };
    const scheduler = startScheduler({ clock, store: full, schedules: [], fire });
    await scheduler.close();
    clock.close();
    expect(fire).toHaveBeenCalledTimes(2);
    expect(told).toEqual([`schedules cannot be written, the stack goes on: ${NO_ROOM}, write`]);
  });

  test('a secret is stored completely or not at all', () => {
    const folder = temporaryFolder();
    symlinkSync(FULL, join(folder, 'session.secret.new'));
    expect(() => keptSecret(folder, 'session.secret')).toThrow(NO_ROOM);
    rmSync(join(folder, 'session.secret.new'));
    expect(Buffer.from(keptSecret(folder, 'session.secret').value, 'base64')).toHaveLength(32);
  });

  test('an object without room gets an error as its answer, and the server continues', async () => {
    const folder = temporaryFolder();
    const clock = createClock(join(folder, 'clock.json'));
    const servers = await startQueues({ clock, storageFolder: join(folder, 's3'), region: 'us-east-1' });
    const s3 = new S3Client({
      endpoint: servers.endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      forcePathStyle: true,
      maxAttempts: 1,
    });
    try {
      await servers.create([], ['bucket']);
      symlinkSync(FULL, join(folder, 's3/buckets/bucket/objects/full.data'));
      const put = (Key: string) => s3.send(new PutObjectCommand({ Bucket: 'bucket', Key, Body: 'abc' }));
      await expect(put('full')).rejects.toMatchObject({ $metadata: { httpStatusCode: 500 } });
      await put('room');
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: 'bucket', Key: 'room' }));
      expect(await Body?.transformToString()).toBe('abc');
    } finally {
      s3.destroy();
      await servers.close();
      clock.close();
    }
  });
});

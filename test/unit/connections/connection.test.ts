import { describe, expect, test } from 'vitest';
import {
  nextFiring,
  type Schedule,
  statusAfterEnabling,
  statusAfterNewCredentials,
} from '#shared/connections/connection.rules.ts';
import { statusAfterRun } from '#shared/sync/run.rules.ts';

describe('connection status', () => {
  test('the end of a run never leaves disabled, and a cancelled run changes nothing', () => {
    expect(statusAfterRun('disabled', 'succeeded', [null])).toBe('disabled');
    expect(statusAfterRun('disabled', 'failed', ['source.invalid_credentials'])).toBe('disabled');
    expect(statusAfterRun('pending', 'cancelled', ['sync.cancelled'])).toBe('pending');
  });

  test.each([
    'source.invalid_credentials',
    'source.account_locked',
    'source.mfa_required',
    'source.consent_expired',
    'source.wrong_company',
  ] as const)('%s moves to error, also if another scope went well', (code) => {
    expect(statusAfterRun('active', 'failed', [code])).toBe('error');
    expect(statusAfterRun('pending', 'partial', [null, code])).toBe('error');
  });

  test('a fault that is not the owner’s leaves the status', () => {
    expect(statusAfterRun('pending', 'failed', ['source.unavailable'])).toBe('pending');
    expect(statusAfterRun('active', 'failed', ['source.mfa_timeout'])).toBe('active');
    expect(statusAfterRun('error', 'failed', ['source.unavailable'])).toBe('error');
  });

  test('success repairs', () => {
    expect(statusAfterRun('error', 'succeeded', [null])).toBe('active');
    expect(statusAfterRun('pending', 'partial', [null, 'source.unavailable'])).toBe('active');
  });

  test('new credentials and enabling', () => {
    expect(statusAfterNewCredentials('error')).toBe('pending');
    expect(statusAfterNewCredentials('active')).toBe('active');
    expect(statusAfterNewCredentials('disabled')).toBe('disabled');
    expect(statusAfterEnabling('active', { isEnabled: false })).toBe('disabled');
    expect(statusAfterEnabling('disabled', { isEnabled: true })).toBe('pending');
    expect(statusAfterEnabling('error', { isEnabled: true })).toBe('error');
  });
});

describe('next firing', () => {
  const schedule: Schedule = { enabled: true, frequencyMinutes: 60, startsAt: '2026-11-21T10:00:00.000Z', revision: 1 };
  const at = (iso: string) => Date.parse(iso);

  test('is the start while that is in the future, then always the next whole period', () => {
    expect(nextFiring('active', schedule, at('2026-11-21T09:00:00.000Z'))).toBe('2026-11-21T10:00:00.000Z');
    expect(nextFiring('active', schedule, at('2026-11-21T10:00:00.000Z'))).toBe('2026-11-21T11:00:00.000Z');
    expect(nextFiring('error', schedule, at('2026-11-22T10:30:00.000Z'))).toBe('2026-11-22T11:00:00.000Z');
  });

  test('is null when none will come', () => {
    expect(nextFiring('disabled', schedule, 0)).toBeNull();
    expect(nextFiring('active', { ...schedule, enabled: false }, 0)).toBeNull();
    expect(nextFiring('active', { ...schedule, startsAt: null }, 0)).toBeNull();
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterFailure,
  afterSuccess,
  disable,
  isSubscribed,
  reactivate,
  STOPPED,
  type WebhookEndpoint,
  whyStopped,
} from '#shared/webhooks/endpoint.rules.ts';

const IN_ROW_MAX = 20;
const STAMP_MS = 60_000;
const START_MS = Date.parse('2026-11-02T12:00:00.000Z');
const at = (ms: number): string => new Date(START_MS + ms).toISOString();

const fresh = (): WebhookEndpoint => ({
  organizationId: 'o',
  id: 'e',
  url: 'https://example.com/hook',
  eventTypes: ['sync.succeeded'],
  enabled: true,
  disabledAt: null,
  stoppedAt: null,
  lastSuccessAt: null,
  failuresInRow: 0,
  revision: 1,
  createdAt: at(0),
});

const steps = fc.array(fc.constantFrom('failed', 'failed', 'failed', 'delivered', 'reactivated' as const), {
  maxLength: 120,
});

describe('a webhook endpoint', () => {
  it('is disabled by exactly this many failures in a row, and by nothing else', () => {
    fc.assert(
      fc.property(steps, (list) => {
        let endpoint = fresh();
        let inRow = 0;
        let isEnabled = true;
        list.forEach((step, n) => {
          if (step === 'reactivated') {
            if (!isEnabled) inRow = 0;
            isEnabled = true;
            endpoint = { ...endpoint, ...reactivate(endpoint) };
          } else if (step === 'delivered') {
            inRow = 0;
            endpoint = { ...endpoint, ...afterSuccess(endpoint, at(n * 1_000), STAMP_MS) };
          } else {
            if (isEnabled) inRow++;
            if (inRow >= IN_ROW_MAX) isEnabled = false;
            endpoint = { ...endpoint, ...afterFailure(endpoint, at(n * 1_000), IN_ROW_MAX) };
          }
          expect(endpoint.enabled).toBe(isEnabled);
          expect(endpoint.disabledAt === null).toBe(isEnabled);
          expect(endpoint.failuresInRow).toBe(inRow);
        });
      }),
    );
  });

  it('writes a success only when there are failures to forget or the stamp is old', () => {
    const stamped = { ...fresh(), lastSuccessAt: at(0) };
    expect(afterSuccess(fresh(), at(1), STAMP_MS)).toEqual({ failuresInRow: 0, lastSuccessAt: at(1) });
    expect(afterSuccess(stamped, at(60_000), STAMP_MS)).toBeNull();
    expect(afterSuccess(stamped, at(60_001), STAMP_MS)).not.toBeNull();
    expect(afterSuccess({ ...stamped, failuresInRow: 1 }, at(1), STAMP_MS)).not.toBeNull();
  });

  it('stays as it is when disabled or enabled twice', () => {
    const disabled = { ...fresh(), ...disable(fresh(), at(5), 'manual') };
    expect(disabled).toMatchObject({ enabled: false, disabledAt: at(5), stoppedAt: at(5) });
    expect(disable(disabled, at(9), 'manual')).toEqual({});
    expect(reactivate(fresh())).toEqual({});
    expect(afterFailure(disabled, at(9), IN_ROW_MAX)).toBeNull();
  });

  it('receives only what it subscribed to, while enabled', () => {
    expect(isSubscribed(fresh(), 'sync.succeeded')).toBe(true);
    expect(isSubscribed(fresh(), 'sync.failed')).toBe(false);
    expect(isSubscribed({ ...fresh(), enabled: false }, 'sync.succeeded')).toBe(false);
  });

  it('ends what waited for it when it is gone, disabled, or was disabled in between', () => {
    const older = { createdAt: at(1), resend: false };
    const newer = { createdAt: at(9), resend: false };
    const disabled = { ...fresh(), ...disable(fresh(), at(5), 'manual') };
    const again = { ...disabled, ...reactivate(disabled) };
    expect(whyStopped(undefined, older)).toBe(STOPPED.deleted);
    expect(whyStopped(disabled, newer)).toBe(STOPPED.disabled);
    expect(whyStopped(again, older)).toBe(STOPPED.disabled);
    expect(whyStopped(again, newer)).toBeNull();
    expect(whyStopped(again, { ...older, resend: true })).toBeNull();
    expect(whyStopped(fresh(), older)).toBeNull();
  });
});

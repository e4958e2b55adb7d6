/** Runs the planned syncs while the page is open, and reads the coverage again when they have ended. */
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, must } from '../api/client.ts';
import { readCoverageAgain } from './coverage-query.ts';
import type { PlannedSync } from './plan-syncs.ts';
import { LEFT, NOT_STARTED, runSyncs, type SyncPorts, type SyncProgress } from './run-syncs.ts';

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });

const PORTS: SyncPorts = {
  start: async ({ connectionId: id, scopes, periods }, key) => {
    const body = { scopes: [...scopes], metadata: { periods } };
    const headers = { 'idempotency-key': key };
    return (await must(api.POST('/connections/{id}/sync', { params: { path: { id } }, body, headers }))).sync_id;
  },
  read: async ({ connectionId: id }, runId) =>
    (await must(api.GET('/connections/{id}/sync-runs/{runId}', { params: { path: { id, runId } } }))).data,
  cancel: async ({ connectionId: id }, runId) =>
    (await must(api.POST('/connections/{id}/sync-runs/{runId}/cancel', { params: { path: { id, runId } } }))).data,
  pause,
  newKey: () => crypto.randomUUID(),
};

export const useSyncs = () => {
  const [progress, setProgress] = useState<SyncProgress>(NOT_STARTED);
  const [planned, setPlanned] = useState<readonly PlannedSync[]>([]);
  const [isCancelled, setCancelled] = useState(false);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(LEFT), []);
  const mutation = useMutation({
    mutationFn: async (syncs: readonly PlannedSync[]) => {
      const own = new AbortController();
      controller.current = own;
      setCancelled(false);
      setPlanned(syncs);
      setProgress(NOT_STARTED);
      try {
        return await runSyncs(syncs, PORTS, own.signal, setProgress);
      } finally {
        await readCoverageAgain();
      }
    },
  });
  return {
    progress,
    planned,
    isCancelled,
    isRunning: mutation.isPending,
    isEnded: mutation.isSuccess,
    error: mutation.error,
    start: (syncs: readonly PlannedSync[]) => mutation.mutate(syncs),
    cancel: () => {
      setCancelled(true);
      controller.current?.abort();
    },
  };
};

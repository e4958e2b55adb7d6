/** Creates a connection and starts its first sync; a retry is safe. */
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, type Connection, must } from '../api/client.ts';
import { LostConnection } from '../api/refusal.ts';
import { readListsAgain, startSync } from './connection-queries.ts';

export interface NewConnection {
  external_source_code: string;
  name: string;
  enabled_scopes: string[];
  credentials: Record<string, unknown>;
  metadata: Record<string, unknown>;
}

/** The created connection. `isSyncing` is false if its first sync could not be started. */
export interface Made {
  connection: Connection;
  isSyncing: boolean;
}

export const useNewConnection = (onMade: (made: Made) => void) => {
  // Idempotency-Key of the request. It stays the same until a response arrives, because an attempt without a response
  // may have created the connection. After a response the next attempt uses a new key, because the API also stores a
  // refusal under its key.
  const key = useRef<string | undefined>(undefined);
  return useMutation({
    mutationFn: async (body: NewConnection): Promise<Made> => {
      key.current ??= crypto.randomUUID();
      let connection: Connection;
      try {
        connection = await must(api.POST('/connections', { body, headers: { 'idempotency-key': key.current } }));
        key.current = undefined;
      } catch (error) {
        if (!(error instanceof LostConnection)) key.current = undefined;
        throw error;
      }
      const isSyncing = await startSync(connection.id, {}).then(
        () => true,
        () => false,
      );
      return { connection, isSyncing };
    },
    onSuccess: async (made) => {
      await readListsAgain();
      onMade(made);
    },
  });
};

/**
 * Wrapper for the pages of one connection: it reads the connection's id from the address, and shows loading and errors.
 */
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import type { Connection } from '../api/client.ts';
import { Read } from '../problem/read.tsx';
import { useConnection } from './connection-queries.ts';

export const OfConnection = ({ children }: { children: (connection: Connection) => ReactNode }) => {
  const { id = '' } = useParams();
  return <Read query={useConnection(id)}>{children}</Read>;
};

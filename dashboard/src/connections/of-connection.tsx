/**
 * Wrapper for the pages of one connection: it reads the connection's id from the address, and shows loading and errors.
 */
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import type { Connection } from '../api/client.ts';
import { Read } from '../problem/read.tsx';
import { Page } from '../shell/page.tsx';
import { common } from '../text/common-texts.ts';
import { useConnection } from './connection-queries.ts';

export const OfConnection = ({ children }: { children: (connection: Connection) => ReactNode }) => {
  const { id = '' } = useParams();
  const query = useConnection(id);
  const content = <Read query={query}>{children}</Read>;
  // The pages take their title from the connection.
  return query.data === undefined ? <Page title={common.say('connection')}>{content}</Page> : content;
};

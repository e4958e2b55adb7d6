/** The connection endpoints in process, called by one organization. */
import { contract as createContract } from '#functions/api/connections/create-connection/contract.ts';
import { handler as create } from '#functions/api/connections/create-connection/handler.ts';
import { contract as deleteContract } from '#functions/api/connections/delete-connection/contract.ts';
import { handler as remove } from '#functions/api/connections/delete-connection/handler.ts';
import { contract as getContract } from '#functions/api/connections/get-connection/contract.ts';
import { handler as get } from '#functions/api/connections/get-connection/handler.ts';
import { contract as listContract } from '#functions/api/connections/list-connections/contract.ts';
import { handler as list } from '#functions/api/connections/list-connections/handler.ts';
import { contract as updateContract } from '#functions/api/connections/update-connection/contract.ts';
import { handler as update } from '#functions/api/connections/update-connection/handler.ts';
import type { Credential } from './callers.ts';
import { type Answered, call } from './http.ts';

export const CANARY = 'c4n4ry-pass-w0rd';

export const newConnection = (changes: object = {}): object => ({
  external_source_code: 'tax',
  name: 'Principal',
  enabled_scopes: ['rcv'],
  credentials: { rut: '76.192.083-9', password: CANARY },
  metadata: {},
  ...changes,
});

export interface ConnectionApi {
  create(body?: object | string, headers?: Record<string, string>): Promise<Answered>;
  get(id: string): Promise<Answered>;
  list(): Promise<Answered>;
  update(id: string, body: object): Promise<Answered>;
  remove(id: string): Promise<Answered>;
}

export const connectionApi = ({ headers = {}, cookies = [] }: Credential): ConnectionApi => {
  const who = { cookies, headers };
  return {
    create: (body = newConnection(), more = {}) =>
      call(createContract, create, { cookies, headers: { ...headers, ...more }, body }),
    get: (id) => call(getContract, get, { ...who, params: { id } }),
    list: () => call(listContract, list, who),
    update: (id, body) => call(updateContract, update, { ...who, params: { id }, body }),
    remove: (id) => call(deleteContract, remove, { ...who, params: { id } }),
  };
};

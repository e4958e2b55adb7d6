import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { now } from '#shared/platform/clock.ts';
import { env } from '#shared/platform/env.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { contract } from './contract.ts';

/** RFC 9116 §2.5.5 recommends less than a year. */
const VALID_DAYS = 180;

export const getSecurityTxt: Logic<typeof contract> = async () => {
  const today = now();
  const expires = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + VALID_DAYS));
  const lines = [
    `Contact: ${env(VARIABLES.securityContact)}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: es, en',
  ];
  return {
    status: 200,
    body: new TextEncoder().encode(`${lines.join('\n')}\n`),
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'max-age=3600' },
  };
};

export const handler = endpoint(contract, getSecurityTxt);

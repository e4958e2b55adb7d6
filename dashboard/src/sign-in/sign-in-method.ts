/** How one signs in and out here: `/config.json`, written by the local stack or by the deployment, says which way. */

import { readJson } from '../api/client.ts';
import { openDevelopmentSession } from '../api/session.ts';
import type { OpenIdSettings } from './openid-settings.ts';

/** Ways in that are a button; the other one takes a session that an operator made. */
export type ButtonSettings = { kind: 'development' } | OpenIdSettings;
export type SignInSettings = ButtonSettings | { kind: 'token' };

export const settingsQuery = {
  queryKey: ['sign-in-settings'],
  queryFn: async ({ signal }: { signal?: AbortSignal }): Promise<SignInSettings> =>
    (await readJson<{ sign_in: SignInSettings }>('/config.json', new URLSearchParams(), signal)).sign_in,
  staleTime: Number.POSITIVE_INFINITY,
};

/** The library of the OpenID way is loaded only where it is the way. */
const openId = () => import('./openid.ts');

export const signIn = async (settings: ButtonSettings): Promise<void> => {
  if (settings.kind === 'development') return openDevelopmentSession();
  return (await openId()).signIn(settings);
};

/**
 * How a person signs in and out. The local stack or the deployment writes `/config.json`, which names the sign-in
 * method.
 */

import { readJson } from '../api/client.ts';
import { openDevelopmentSession } from '../api/session.ts';
import type { OpenIdSettings } from './openid-settings.ts';

/**
 * Settings of the two sign-in methods that have a button. The third method `token` has a form, in which a person enters
 * a session that an operator created.
 */
export type ButtonSettings = { kind: 'development' } | OpenIdSettings;
export type SignInSettings = ButtonSettings | { kind: 'token' };

export const settingsQuery = {
  queryKey: ['sign-in-settings'],
  queryFn: async ({ signal }: { signal?: AbortSignal }): Promise<SignInSettings> =>
    (await readJson<{ sign_in: SignInSettings }>('/config.json', new URLSearchParams(), signal)).sign_in,
  staleTime: Number.POSITIVE_INFINITY,
};

/** The OpenID library is loaded only if the sign-in method is OpenID. */
const openId = () => import('./openid.ts');

export const signIn = async (settings: ButtonSettings): Promise<void> => {
  if (settings.kind === 'development') return openDevelopmentSession();
  return (await openId()).signIn(settings);
};

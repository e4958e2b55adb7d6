/**
 * Sign in at an OpenID issuer (Supabase is one): authorization code with PKCE in a window of its own, so that the page
 * stays as it is. The token goes straight into the HttpOnly cookie; nothing of it is kept where a script could read it.
 */
import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { openSession } from '../api/session.ts';
import { CALLBACK_PATH } from './callback-path.ts';
import type { OpenIdSettings } from './openid-settings.ts';

const managerFor = ({ authority, client_id, scope }: OpenIdSettings): UserManager =>
  new UserManager({
    authority,
    client_id,
    scope,
    response_type: 'code',
    redirect_uri: `${location.origin}${CALLBACK_PATH}`,
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    // The issuer's own session is none of our business, and a frame of its would need a word in the policy.
    automaticSilentRenew: false,
    monitorSession: false,
    loadUserInfo: false,
  });

/** @throws Error of the library when the window is blocked or closed; Refusal when the API does not take the token. */
export const signIn = async (settings: OpenIdSettings): Promise<void> => {
  const { access_token } = await managerFor(settings).signinPopup();
  await openSession(access_token);
};

/** In the window: hands the answer to the page that opened it, and closes. */
export const finishInWindow = async (settings: OpenIdSettings): Promise<void> =>
  managerFor(settings).signinPopupCallback();

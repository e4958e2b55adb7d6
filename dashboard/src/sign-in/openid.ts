/**
 * Sign-in at an OpenID issuer (such as Supabase): authorization code with PKCE in a popup window, so that the current
 * page stays unchanged. The token goes directly into the HttpOnly cookie, and no storage that a script could read
 * contains a part of it.
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
    // The page does not monitor the session at the issuer, because the necessary frame would require a permission in
    // the content security policy.
    automaticSilentRenew: false,
    monitorSession: false,
    loadUserInfo: false,
  });

/**
 * @throws Error of the library when the window is blocked or closed; ApiRefusal when the API rejects the token;
 * LostConnection.
 */
export const signIn = async (settings: OpenIdSettings): Promise<void> => {
  const { access_token } = await managerFor(settings).signinPopup();
  await openSession(access_token);
};

/** Runs in the popup window. It passes the result to the page that opened the window, and closes the window. */
export const finishInWindow = async (settings: OpenIdSettings): Promise<void> =>
  managerFor(settings).signinPopupCallback();

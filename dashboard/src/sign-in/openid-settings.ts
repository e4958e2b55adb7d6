/** How the issuer of OpenID is reached. */
export interface OpenIdSettings {
  kind: 'openid';
  /** Issuer, whose `/.well-known/openid-configuration` says the rest. */
  authority: string;
  client_id: string;
  scope: string;
}

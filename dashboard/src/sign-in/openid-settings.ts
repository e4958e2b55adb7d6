/** Settings of the OpenID issuer. */
export interface OpenIdSettings {
  kind: 'openid';
  /** The issuer, whose `/.well-known/openid-configuration` has the other addresses. */
  authority: string;
  client_id: string;
  scope: string;
}

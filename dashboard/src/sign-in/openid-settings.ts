/** Settings of the OpenID issuer. */
export interface OpenIdSettings {
  kind: 'openid';
  /** URL of the issuer; its `/.well-known/openid-configuration` names the issuer's other addresses. */
  authority: string;
  client_id: string;
  scope: string;
}

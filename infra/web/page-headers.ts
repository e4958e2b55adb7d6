/**
 * The headers of the dashboard's page: what a browser may load and cache, and which browser features the page may use.
 */

/**
 * Returns the policy of the dashboard's page, both on this machine and behind CloudFront. The page may load only its
 * own files: no inline script or style, no generated code. It may call only its own origin, and the issuer if there is
 * one.
 */
export const contentSecurityPolicy = (issuerOrigins: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...issuerOrigins].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * Values of `cache-control`: browsers request a file with a hash in its name once per year, and the page itself at
 * every visit.
 */
export const CACHE = { page: 'no-cache', asset: 'public, max-age=31536000, immutable' } as const;

export const HSTS_SECONDS = 31_536_000;

/** Headers that deny the page all browser features, and deny other pages access to its window. */
export const FURTHER_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': [
    'accelerometer',
    'bluetooth',
    'camera',
    'display-capture',
    'geolocation',
    'gyroscope',
    'hid',
    'magnetometer',
    'microphone',
    'midi',
    'payment',
    'publickey-credentials-get',
    'screen-wake-lock',
    'serial',
    'usb',
    'xr-spatial-tracking',
  ]
    .map((feature) => `${feature}=()`)
    .join(', '),
} as const;

/** Headers in addition to the content security policy. They are the same on every response outside the API. */
export const PAGE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'strict-transport-security': `max-age=${HSTS_SECONDS}; includeSubDomains`,
  ...FURTHER_HEADERS,
} as const;

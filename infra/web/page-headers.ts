/** The headers of the dashboard's page: what browsers may load, keep and give it. */

/**
 * What the dashboard's page may load: its own files and nothing else, locally and behind CloudFront alike. No inline
 * script or style, no code made at run time; it talks to its own origin, and to the issuer where there is one.
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

/** Browsers ask for a year's hash-named file once, and for the page itself every time. */
export const CACHE = { page: 'no-cache', asset: 'public, max-age=31536000, immutable' } as const;

export const HSTS_SECONDS = 31_536_000;

/** The page needs none of what a browser may give it, and no other page may hold a handle of its window. */
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

/** Besides the policy; the same on every answer that is no API's. */
export const PAGE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'strict-transport-security': `max-age=${HSTS_SECONDS}; includeSubDomains`,
  ...FURTHER_HEADERS,
} as const;

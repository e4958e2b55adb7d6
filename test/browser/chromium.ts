/** Where Chromium is: Debian's package, or what CHROMIUM_PATH names. Null on a machine without one. */
import { existsSync } from 'node:fs';

const KNOWN = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const CHROMIUM: string | null =
  [process.env.CHROMIUM_PATH ?? '', ...KNOWN].find((path) => path !== '' && existsSync(path)) ?? null;

/** No GPU, no sandbox within a container, and nothing asked of anybody in the background. */
export const CHROMIUM_ARGUMENTS = ['--no-sandbox', '--headless', '--disable-gpu', '--disable-background-networking'];

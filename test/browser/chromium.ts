/** Path of Chromium: Debian's package, or `CHROMIUM_PATH`. Null on a machine without Chromium. */
import { existsSync } from 'node:fs';

const KNOWN = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const CHROMIUM: string | null =
  [process.env.CHROMIUM_PATH ?? '', ...KNOWN].find((path) => path !== '' && existsSync(path)) ?? null;

/** No GPU, no sandbox within a container, and no background requests. */
export const CHROMIUM_ARGUMENTS = ['--no-sandbox', '--headless', '--disable-gpu', '--disable-background-networking'];

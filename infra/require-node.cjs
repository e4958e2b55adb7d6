/**
 * Loaded before every script. Node runs TypeScript without a build only from version 24 on; on x64 Linux `npm ci`
 * installs that version.
 */
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Node 24 or later is required, and this is ${process.versions.node}: npm ci installs it on Linux x64, elsewhere install it (https://nodejs.org).`,
  );
  process.exit(1);
}

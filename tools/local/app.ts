/** The CDK app of this machine's stage, run in a separate process (build.ts). */
import { createApp } from '#infra/app.ts';
import { localStage } from './local-stage.ts';

createApp({ stage: localStage(), isValidated: false }).synth();

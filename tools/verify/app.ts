/** The CDK app for the emulator's stage, with the service's own stacks: `cdk --app "node tools/verify/app.ts"`. */
import { createApp } from '#infra/app.ts';
import { emulatorStage } from './emulator-stage.ts';
import { refuseElsewhere } from './loopback.ts';

refuseElsewhere('AWS_ENDPOINT_URL', process.env.AWS_ENDPOINT_URL);
const { VERIFY_SANDBOXES = '{}', VERIFY_GENERATION = '1', VERIFY_RETAINING, VERIFY_BUNDLES } = process.env;
const stage = emulatorStage(JSON.parse(VERIFY_SANDBOXES) as Record<string, string>, {
  tableGeneration: Number(VERIFY_GENERATION),
  isRetaining: VERIFY_RETAINING !== undefined,
});
// CDK does not validate the schemas here, because another test does it. The sandbox is deployed, but adapters use
// institutions on loopback, because functions of the emulator cannot resolve the host names of the emulator's APIs.
const bundles = VERIFY_BUNDLES === undefined ? {} : { bundleDir: VERIFY_BUNDLES };
createApp({ stage, hasSandbox: true, isValidated: false, ...bundles }).synth();

/** Replaces the SDK's credential search in bundles, because Lambda puts the credentials into the environment. */
import { fromEnv } from '@aws-sdk/credential-provider-env';

export const defaultProvider = fromEnv;

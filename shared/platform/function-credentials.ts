/** In bundles this takes the place of the SDK's search for credentials: Lambda puts them into the environment. */
import { fromEnv } from '@aws-sdk/credential-provider-env';

export const defaultProvider = fromEnv;

/**
 * Reads endpoints of a local substitute for AWS from the SDK's own variables, for code that signs requests without an
 * SDK client.
 */
import { envOptional } from './env.ts';
import { AWS_VARIABLES } from './needs.ts';

/**
 * Returns the endpoint that is set for this service, otherwise the endpoint that is set for all services. Undefined on
 * AWS.
 */
export const endpointOverride = (service: 'CLOUDFORMATION' | 'LAMBDA' | 'S3' | 'SSM'): string | undefined =>
  envOptional(`${AWS_VARIABLES.endpointUrl}_${service}`) ?? envOptional(AWS_VARIABLES.endpointUrl);

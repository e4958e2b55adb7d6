/** Where something stands in for AWS: the SDK's own variables, for what signs requests without one of its clients. */

import { envOptional } from './env.ts';
import { AWS_VARIABLES } from './needs.ts';

/** Of one service, else of all; undefined on AWS. */
export const endpointOverride = (service: 'CLOUDFORMATION' | 'LAMBDA' | 'S3' | 'SSM'): string | undefined =>
  envOptional(`${AWS_VARIABLES.endpointUrl}_${service}`) ?? envOptional(AWS_VARIABLES.endpointUrl);

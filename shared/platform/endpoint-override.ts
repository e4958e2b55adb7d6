/** Where something stands in for AWS: the SDK's own variables, for what signs requests without one of its clients. */
import { envOptional } from './env.ts';

/** Of one service, else of all; undefined on AWS. */
export const endpointOverride = (service: 'CLOUDFORMATION' | 'LAMBDA' | 'S3' | 'SSM'): string | undefined =>
  envOptional(`AWS_ENDPOINT_URL_${service}`) ?? envOptional('AWS_ENDPOINT_URL');

/** Trigger: any request to the address of the stage's sandbox. The path begins with the institution. */
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { askedBy } from './answer.ts';
import { serve } from './serve.ts';

export const handler = (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> =>
  serve(askedBy(event));

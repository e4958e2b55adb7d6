/**
 * Endpoints that agents call, and endpoints for people's permissions. The stack is deployed after the page, because the
 * page's host name, which is also the issuer's name, is unknown before (docs/adr/0033).
 */
import type { StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { ServiceContext } from '#infra/constructs/service-function.ts';
import { AGENT_FUNCTIONS } from '#infra/manifest.ts';
import { EndpointsStack } from './endpoints-stack.ts';

interface AgentsProps extends StackProps {
  service: ServiceContext & { publicOrigin: string };
  apiId: string;
}

export class AgentsStack extends EndpointsStack {
  constructor(scope: Construct, id: string, props: AgentsProps) {
    super(scope, id, { ...props, endpoints: AGENT_FUNCTIONS });
  }
}

/** Cloud assembly → what to run: routes, functions, queues, schedules come from the template, not from a second list. */
import type * as z from 'zod';
import { type AssemblyFiles, readAssemblyFiles, type StackFiles } from './assembly-files.ts';
import { type Identity, type IdentityContext, identityOf, namePropertyOf } from './identities.ts';
import type { ApiModel, LocalModel } from './model.ts';
import { refuseWhatAwsRefuses } from './refusals.ts';
import {
  ApiProperties,
  BucketProperties,
  FunctionProperties,
  GroupProperties,
  IGNORED_TYPES,
  IntegrationProperties,
  MappingProperties,
  QueueProperties,
  RouteProperties,
  ScheduleProperties,
  StageProperties,
  TableProperties,
} from './resources.ts';
import { createResolver, type Resolver, type Resource, TemplateRefused } from './template.ts';

/** fauxqs answers for this account and no other. */
export const LOCAL_ACCOUNT = '000000000000';
export const LOCAL_REGION = 'us-east-1';

/** infra writes the function id into the description; names are left to CloudFormation. */
const FUNCTION_ID = /^[a-z0-9-]{1,64}$/;

export interface AssemblyContext {
  queueUrl(name: string): string;
  /** Origin of the HTTP API, no trailing slash. */
  apiUrl: string;
}

interface Met {
  logicalId: string;
  type: string;
  properties: Record<string, unknown>;
  identity: Identity;
}

const resolverOf = (
  stack: StackFiles,
  exported: (name: string) => ReturnType<Resolver['resolve']> | undefined,
  context: AssemblyContext,
): Resolver & { identify(logicalId: string, resource: Resource): Identity } => {
  const identityContext: IdentityContext = {
    stackName: stack.name,
    region: LOCAL_REGION,
    account: LOCAL_ACCOUNT,
    ...context,
  };
  const identify = (logicalId: string, resource: Resource): Identity => {
    const given = resource.Properties[namePropertyOf(resource.Type)];
    const name = given === undefined ? undefined : String(resolver.resolve(given));
    return identityOf(resource.Type, logicalId, name, identityContext);
  };
  const resolver = createResolver({
    stackName: stack.name,
    template: stack.template,
    region: LOCAL_REGION,
    account: LOCAL_ACCOUNT,
    exported,
    identify,
  });
  return { ...resolver, identify };
};

const meet = (files: AssemblyFiles, context: AssemblyContext): Met[] => {
  const exports = new Map<string, () => ReturnType<Resolver['resolve']>>();
  const stacks = files.stacks.map((stack) => ({
    stack,
    resolver: resolverOf(stack, (name) => exports.get(name)?.(), context),
  }));
  for (const { stack, resolver } of stacks)
    for (const { Export, Value } of Object.values(stack.template.Outputs))
      if (Export) exports.set(String(resolver.resolve(Export.Name)), () => resolver.resolve(Value));

  return stacks.flatMap(({ stack, resolver }) =>
    Object.entries(stack.template.Resources).flatMap(([logicalId, resource]) => {
      if (IGNORED_TYPES.has(resource.Type) && resource.Type !== 'AWS::ApiGatewayV2::Stage') return [];
      if (resource.Condition !== undefined && !resolver.holds(resource.Condition)) return [];
      try {
        const properties = resolver.resolve(resource.Properties) as Record<string, unknown>;
        return [{ logicalId, type: resource.Type, properties, identity: resolver.identify(logicalId, resource) }];
      } catch (error) {
        throw new TemplateRefused(`${stack.name}/${logicalId} (${resource.Type}): ${(error as Error).message}`);
      }
    }),
  );
};

const parse = <S extends z.ZodType>(schema: S, met: Met): z.infer<S> => {
  const parsed = schema.safeParse(met.properties);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new TemplateRefused(
    `${met.logicalId} (${met.type}): ${issue?.path.join('.')}: ${issue?.message} (the local runner cannot run it)`,
  );
};

const attributesOf = (queue: z.infer<typeof QueueProperties>): Record<string, string> => {
  const { QueueName: _name, RedrivePolicy, ...plain } = queue;
  const attributes = Object.fromEntries(Object.entries(plain).map(([key, value]) => [key, String(value)]));
  return RedrivePolicy ? { ...attributes, RedrivePolicy: JSON.stringify(RedrivePolicy) } : attributes;
};

/** `arn:…:apigateway:…:lambda:path/…/functions/<arn>/invocations` or the function's ARN itself. */
const integratedFunction = (uri: string): string => /functions\/([^/]+)\/invocations/.exec(uri)?.[1] ?? uri;

const apiOf = (met: Met[], of: (type: string) => Met[]): ApiModel => {
  const [api, ...more] = of('AWS::ApiGatewayV2::Api');
  if (!api || more.length > 0)
    throw new TemplateRefused(`one HTTP API was expected, not ${more.length + (api ? 1 : 0)}`);
  const integrations = new Map(
    of('AWS::ApiGatewayV2::Integration').map((each) => [each.identity.ref, parse(IntegrationProperties, each)]),
  );
  const routes = of('AWS::ApiGatewayV2::Route').map((each) => {
    const { RouteKey, Target } = parse(RouteProperties, each);
    const integration = integrations.get(Target.replace(/^integrations\//, ''));
    if (!integration) throw new TemplateRefused(`${each.logicalId}: its integration ${Target} is not there`);
    return {
      routeKey: RouteKey,
      functionArn: integratedFunction(integration.IntegrationUri),
      timeoutMs: integration.TimeoutInMillis,
    };
  });
  const found = met.find(({ type }) => type === 'AWS::ApiGatewayV2::Stage');
  const stage = found && parse(StageProperties, found);
  const { ThrottlingRateLimit: rateLimit, ThrottlingBurstLimit: burstLimit } = stage?.DefaultRouteSettings ?? {};
  return {
    id: api.identity.ref,
    stage: stage?.StageName ?? '$default',
    routes,
    throttle: rateLimit !== undefined && burstLimit !== undefined ? { rateLimit, burstLimit } : undefined,
    cors: parse(ApiProperties, api).CorsConfiguration,
  };
};

const KNOWN_TYPES: ReadonlySet<string> = new Set([
  ...IGNORED_TYPES,
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::DynamoDB::GlobalTable',
  'AWS::DynamoDB::Table',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::S3::Bucket',
  'AWS::SQS::Queue',
  'AWS::Scheduler::Schedule',
  'AWS::Scheduler::ScheduleGroup',
]);

/** Throws `TemplateRefused` for what AWS would refuse at deploy and for what the local runner cannot run. */
export const readAssembly = (folder: string, context: AssemblyContext): LocalModel => {
  const files = readAssemblyFiles(folder);
  for (const { name, template } of files.stacks)
    for (const [logicalId, { Type }] of Object.entries(template.Resources))
      if (!KNOWN_TYPES.has(Type))
        throw new TemplateRefused(`${name}/${logicalId}: ${Type} is unknown to the local runner`);

  const met = meet(files, context);
  const of = (...types: string[]): Met[] => met.filter(({ type }) => types.includes(type));
  const model: LocalModel = {
    region: LOCAL_REGION,
    account: LOCAL_ACCOUNT,
    functions: of('AWS::Lambda::Function').map((each) => {
      const { FunctionName, Description, Handler, Timeout, MemorySize, Environment, Code } = parse(
        FunctionProperties,
        each,
      );
      const codeFolder = files.codeFolders.get(Code.S3Key ?? '');
      if (codeFolder === undefined || Handler === undefined)
        throw new TemplateRefused(`${each.logicalId}: its code is not an asset of this assembly`);
      return {
        id: FUNCTION_ID.test(Description ?? '') ? String(Description) : (FunctionName ?? each.logicalId),
        name: each.identity.ref,
        arn: String(each.identity.attributes.Arn),
        handler: Handler,
        codeFolder,
        timeoutMs: Timeout * 1000,
        memoryMb: MemorySize,
        environment: Environment.Variables,
      };
    }),
    queues: of('AWS::SQS::Queue').map((each) => {
      const queue = parse(QueueProperties, each);
      const { Arn, QueueName } = each.identity.attributes;
      return {
        name: String(QueueName),
        arn: String(Arn),
        attributes: attributesOf(queue),
        visibilityMs: queue.VisibilityTimeout * 1000,
      };
    }),
    mappings: of('AWS::Lambda::EventSourceMapping').flatMap((each) => {
      const mapping = parse(MappingProperties, each);
      if (mapping.FilterCriteria !== undefined)
        throw new TemplateRefused(`${each.logicalId}: the local runner knows no event filters`);
      if (!mapping.Enabled) return [];
      return [
        {
          queueArn: mapping.EventSourceArn,
          functionArn: mapping.FunctionName,
          batchSize: mapping.BatchSize,
          windowMs: mapping.MaximumBatchingWindowInSeconds * 1000,
          reportsItemFailures: mapping.FunctionResponseTypes.includes('ReportBatchItemFailures'),
          maxConcurrency: mapping.ScalingConfig.MaximumConcurrency,
        },
      ];
    }),
    tables: of('AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable').map((each) => ({
      ...parse(TableProperties, each),
      name: each.identity.ref,
    })),
    buckets: of('AWS::S3::Bucket').map((each) => {
      parse(BucketProperties, each);
      return each.identity.ref;
    }),
    schedules: of('AWS::Scheduler::Schedule').map((each) => ({
      ...parse(ScheduleProperties, each),
      Name: each.identity.ref,
    })),
    scheduleGroups: of('AWS::Scheduler::ScheduleGroup').map((each) => {
      parse(GroupProperties, each);
      return each.identity.ref;
    }),
    api: apiOf(met, of),
  };
  return refuseWhatAwsRefuses(model);
};

/**
 * Reads the cloud assembly and returns what the local runner must run. Routes, functions, queues and schedules come
 * from the template, so no second list of them exists.
 */
import type * as z from 'zod';
import { type AssemblyFiles, readAssemblyFiles, type StackFiles } from './assembly-files.ts';
import { chooseIdentity, type Identity, type TemplateValue } from './identities.ts';
import type { ApiModel, LocalModel } from './model.ts';
import { refuseWhatAwsRefuses } from './refusals.ts';
import {
  ApiProperties,
  FunctionProperties,
  IGNORED_PROPERTIES,
  IGNORED_TYPES,
  IntegrationProperties,
  MappingProperties,
  NoProperties,
  QueueProperties,
  RouteProperties,
  ScheduleProperties,
  StageProperties,
  TableProperties,
} from './resources.ts';
import { createResolver, parseKnown, type Resolve, TemplateRefused, type TemplateResource } from './template.ts';

/** The account of all ARNs, because fauxqs answers only for this account. */
export const LOCAL_ACCOUNT = '000000000000';
export const LOCAL_REGION = 'us-east-1';

interface AssemblyContext {
  queueUrl(name: string): string;
  /** Origin of the HTTP API, without trailing slash. */
  apiUrl: string;
}

interface Met {
  /** Describes the resource in messages: stack, logical id and type. */
  what: string;
  type: string;
  properties: TemplateValue;
  /** Returns the resource's local name and ARN. @throws TemplateRefused for a type to which nothing can refer */
  identity(): Identity;
}

type Exported = (name: string) => TemplateValue | undefined;

const resolverOf = ({ name, template }: StackFiles, exported: Exported, context: AssemblyContext) => {
  const here = { stackName: name, region: LOCAL_REGION, account: LOCAL_ACCOUNT, ...context };
  const identify = (logicalId: string, resource: TemplateResource): Identity => {
    const identity = chooseIdentity(resource, logicalId, here);
    if (identity === undefined)
      throw new TemplateRefused(`${logicalId}: a ${resource.Type} is unknown to the local runner here`);
    return identity;
  };
  return { identify, resolve: createResolver({ template, exported, identify, ...here }) };
};

const meetResource = (
  { name, template }: StackFiles,
  logicalId: string,
  { resolve, identify }: ReturnType<typeof resolverOf>,
): Met[] => {
  const resource = template.Resources[logicalId]!;
  const { Type: type, Properties } = resource;
  if (IGNORED_TYPES.has(type)) return [];
  const ignored = IGNORED_PROPERTIES[type];
  if (ignored === undefined) throw new TemplateRefused(`${name}/${logicalId}: ${type} is unknown to the local runner`);
  const what = `${name}/${logicalId} (${type})`;
  const actedOn = Object.entries(Properties).filter(([property]) => !ignored.includes(property));
  try {
    const properties = resolve(Object.fromEntries(actedOn));
    return [{ what, type, properties, identity: () => identify(logicalId, resource) }];
  } catch (error) {
    throw new TemplateRefused(`${what}: ${(error as Error).message}`);
  }
};

const meet = (files: AssemblyFiles, context: AssemblyContext): Met[] => {
  const exports = new Map<string, () => TemplateValue>();
  const stacks = files.stacks.map((stack) => ({
    stack,
    resolver: resolverOf(stack, (name) => exports.get(name)?.(), context),
  }));
  const remember = ({ Outputs }: StackFiles['template'], resolve: Resolve) => {
    for (const { Export, Value } of Object.values(Outputs)) if (Export) exports.set(Export.Name, () => resolve(Value));
  };
  for (const { stack, resolver } of stacks) remember(stack.template, resolver.resolve);
  return stacks.flatMap(({ stack, resolver }) =>
    Object.keys(stack.template.Resources).flatMap((logicalId) => meetResource(stack, logicalId, resolver)),
  );
};

type ParsedResource<S extends z.ZodType> = Pick<Met, 'what' | 'identity'> & { properties: z.infer<S> };
type ResourcesOfType = <S extends z.ZodType>(type: string, schema: S) => ParsedResource<S>[];

const one = <T>(found: T[], what: string): T => {
  if (found.length !== 1) throw new TemplateRefused(`one ${what} was expected, not ${found.length}`);
  return found[0]!;
};

const apiOf = (of: ResourcesOfType): ApiModel => {
  const api = one(of('AWS::ApiGatewayV2::Api', ApiProperties), 'HTTP API');
  const stage = one(of('AWS::ApiGatewayV2::Stage', StageProperties), 'stage of the HTTP API').properties;
  const functionArns = new Map(
    of('AWS::ApiGatewayV2::Integration', IntegrationProperties).map(({ identity, properties }) => [
      `integrations/${identity().ref}`,
      properties.IntegrationUri,
    ]),
  );
  const routes = of('AWS::ApiGatewayV2::Route', RouteProperties).map(({ what, properties }) => {
    const functionArn = functionArns.get(properties.Target);
    if (functionArn === undefined) throw new TemplateRefused(`${what}: its ${properties.Target} does not exist`);
    return { routeKey: properties.RouteKey, functionArn };
  });
  one(
    routes.filter(({ routeKey }) => routeKey === '$default'),
    'route $default',
  );
  const { ThrottlingRateLimit: rateLimit, ThrottlingBurstLimit: burstLimit } = stage.DefaultRouteSettings;
  return { id: api.identity().ref, stage: stage.StageName, routes, throttle: { rateLimit, burstLimit } };
};

/** Throws `TemplateRefused` for anything that AWS would refuse at deploy or that the local runner cannot run. */
export const readAssembly = (folder: string, context: AssemblyContext): LocalModel => {
  const files = readAssemblyFiles(folder);
  const met = meet(files, context);
  const of: ResourcesOfType = (type, schema) =>
    met
      .filter((each) => each.type === type)
      .map(({ what, properties, identity }) => ({ what, identity, properties: parseKnown(schema, properties, what) }));
  return refuseWhatAwsRefuses({
    functions: of('AWS::Lambda::Function', FunctionProperties).map(({ what, properties, identity }) => {
      const codeFolder = files.codeFolders.get(properties.Code.S3Key);
      if (codeFolder === undefined) throw new TemplateRefused(`${what}: its code is not an asset of this assembly`);
      return {
        id: properties.Description,
        name: identity().ref,
        arn: String(identity().attributes.Arn),
        codeFolder,
        timeoutMs: properties.Timeout * 1000,
        memoryMb: properties.MemorySize,
        environment: properties.Environment.Variables,
      };
    }),
    queues: of('AWS::SQS::Queue', QueueProperties).map(({ properties, identity }) => {
      const { QueueName: _name, RedrivePolicy: redrive, ...plain } = properties;
      const attributes = Object.fromEntries(Object.entries(plain).map(([key, value]) => [key, String(value)]));
      return {
        name: String(identity().attributes.QueueName),
        arn: String(identity().attributes.Arn),
        attributes: { ...attributes, ...(redrive ? { RedrivePolicy: JSON.stringify(redrive) } : {}) },
        visibilityMs: properties.VisibilityTimeout * 1000,
      };
    }),
    mappings: of('AWS::Lambda::EventSourceMapping', MappingProperties).map(({ properties }) => ({
      queueArn: properties.EventSourceArn,
      functionArn: properties.FunctionName,
      batchSize: properties.BatchSize,
      maxConcurrency: properties.ScalingConfig.MaximumConcurrency,
    })),
    tables: of('AWS::DynamoDB::Table', TableProperties).map(({ properties, identity }) => ({
      ...properties,
      name: identity().ref,
    })),
    buckets: of('AWS::S3::Bucket', NoProperties).map(({ identity }) => identity().ref),
    schedules: of('AWS::Scheduler::Schedule', ScheduleProperties).map(({ properties, identity }) => ({
      ...properties,
      Name: identity().ref,
    })),
    scheduleGroups: of('AWS::Scheduler::ScheduleGroup', NoProperties).map(({ identity }) => identity().ref),
    api: apiOf(of),
  });
};

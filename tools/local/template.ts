/**
 * Resolves CloudFormation's intrinsic functions to local names, limited to the functions in our templates. Any other
 * function is refused with its position, because a wrong value would make the local stack differ from the deployed
 * stack.
 */
import * as z from 'zod';
import type { Identity, TemplateValue } from './identities.ts';

/** Order, deletion policy and metadata of a resource, which have no effect on one machine. */
const ignored = z.unknown().optional();

const TemplateResource = z.strictObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  DependsOn: ignored,
  DeletionPolicy: ignored,
  UpdateReplacePolicy: ignored,
  Metadata: ignored,
});

export const Template = z.strictObject({
  Resources: z.record(z.string(), TemplateResource),
  Outputs: z
    .record(z.string(), z.object({ Value: z.unknown(), Export: z.object({ Name: z.string() }).optional() }))
    .default({}),
  // The CDK's parameter and rule for the bootstrap version, which only matters for a deploy.
  Parameters: ignored,
  Rules: ignored,
});

export type TemplateResource = z.infer<typeof TemplateResource>;
export type Template = z.infer<typeof Template>;

/** Thrown when AWS or this runner would refuse the template. The message names the resource. */
export class TemplateRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TemplateRefused';
  }
}

/**
 * Returns the parsed value. @throws TemplateRefused that names `what`, and the key that is unknown or has another form
 */
export const parseKnown = <S extends z.ZodType>(schema: S, value: unknown, what: string): z.infer<S> => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw new TemplateRefused(
    `${[what, path.join('.'), message].filter(Boolean).join(': ')} (unknown to the local runner)`,
  );
};

interface ResolveContext {
  template: Template;
  region: string;
  account: string;
  /** Returns the value of an export of any stack; undefined when no stack has this export. */
  exported(name: string): TemplateValue | undefined;
  /** Returns the resource's local name and ARN. @throws TemplateRefused for a type that has no local identity */
  identify(logicalId: string, resource: TemplateResource): Identity;
}

/** Resolves the intrinsic functions of a value. @throws TemplateRefused */
export type Resolve = (value: unknown) => TemplateValue;
type Intrinsic = (args: unknown, resolve: Resolve, context: ResolveContext) => TemplateValue;

const list = (value: unknown): unknown[] => {
  if (!Array.isArray(value)) throw new TemplateRefused(`a list was expected, not ${JSON.stringify(value)}`);
  return value;
};

const text = (value: unknown): string => {
  if (typeof value !== 'string') throw new TemplateRefused(`a string was expected, not ${JSON.stringify(value)}`);
  return value;
};

const identityIn = ({ template, identify }: ResolveContext, logicalId: string, asked: string): Identity => {
  const resource = template.Resources[logicalId];
  if (!resource) throw new TemplateRefused(`${asked}, which does not exist`);
  return identify(logicalId, resource);
};

const reference = (name: string, context: ResolveContext): TemplateValue => {
  if (name === 'AWS::AccountId') return context.account;
  if (name === 'AWS::Region') return context.region;
  if (name === 'AWS::Partition') return 'aws';
  if (name === 'AWS::URLSuffix') return 'amazonaws.com';
  return identityIn(context, name, `Ref to ${name}`).ref;
};

const INTRINSICS: Readonly<Record<string, Intrinsic>> = {
  Ref: (args, _resolve, context) => reference(text(args), context),
  'Fn::GetAtt': (args, _resolve, context) => {
    const [logicalId = '', name = ''] = list(args).map(text);
    const { attributes } = identityIn(context, logicalId, `Fn::GetAtt of ${logicalId}`);
    const value = attributes[name];
    if (value === undefined)
      throw new TemplateRefused(`Fn::GetAtt ${logicalId}.${name} is unknown to the local runner`);
    return value;
  },
  // Converts the text; each placeholder in our templates is a Ref to the asset bucket.
  'Fn::Sub': (args, _resolve, context) =>
    text(args).replaceAll(/\$\{([^}]*)\}/g, (_, name: string) => text(reference(name, context))),
  'Fn::Join': (args, resolve) => {
    const [separator, parts] = list(args);
    return list(resolve(parts)).map(text).join(text(separator));
  },
  'Fn::ImportValue': (args, _resolve, context) => {
    const name = text(args);
    const value = context.exported(name);
    if (value === undefined) throw new TemplateRefused(`Fn::ImportValue ${name}: no stack exports it`);
    return value;
  },
};

export const createResolver = (context: ResolveContext): Resolve => {
  const resolve: Resolve = (value) => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return (value ?? null) as TemplateValue;
    const entries = Object.entries(value);
    const [name, args] = entries[0] ?? ['', null];
    if (entries.length !== 1 || !(name === 'Ref' || name.startsWith('Fn::')))
      return Object.fromEntries(entries.map(([key, each]) => [key, resolve(each)]));
    const intrinsic = INTRINSICS[name];
    if (!intrinsic) throw new TemplateRefused(`${name} is unknown to the local runner`);
    return intrinsic(args, resolve, context);
  };
  return resolve;
};

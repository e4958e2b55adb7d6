/**
 * CloudFormation's intrinsic functions, resolved to local names. What is not known here is refused with its place:
 * a value silently taken for something else would make the local stack differ from the deployed one.
 */

import * as z from 'zod';
import type { Identity } from './identities.ts';
import type { TemplateValue } from './template-value.ts';

const Resource = z.object({
  Type: z.string(),
  Condition: z.string().optional(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  Metadata: z.record(z.string(), z.unknown()).default({}),
});

export const Template = z.object({
  Resources: z.record(z.string(), Resource).default({}),
  Outputs: z
    .record(z.string(), z.object({ Value: z.unknown(), Export: z.object({ Name: z.unknown() }).optional() }).loose())
    .default({}),
  Parameters: z.record(z.string(), z.object({ Type: z.string(), Default: z.unknown().optional() }).loose()).default({}),
  Mappings: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))).default({}),
  Conditions: z.record(z.string(), z.unknown()).default({}),
});

export type Resource = z.infer<typeof Resource>;
export type Template = z.infer<typeof Template>;

/** The template says something that AWS or this runner refuses. The message names the resource. */
export class TemplateRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TemplateRefused';
  }
}

export interface ResolveContext {
  stackName: string;
  template: Template;
  region: string;
  account: string;
  /** Value of an export of any stack; undefined when there is none. */
  exported(name: string): TemplateValue | undefined;
  identify(logicalId: string, resource: Resource): Identity;
}

type Arguments = TemplateValue;
type Resolve = (value: unknown) => TemplateValue;
type Intrinsic = (args: Arguments, resolve: Resolve, context: ResolveContext) => TemplateValue;

const list = (value: TemplateValue): TemplateValue[] => {
  if (!Array.isArray(value)) throw new TemplateRefused(`a list was expected, not ${JSON.stringify(value)}`);
  return value;
};

const text = (value: TemplateValue | undefined): string => {
  if (value === undefined || value === null || typeof value === 'object')
    throw new TemplateRefused(`a string was expected, not ${JSON.stringify(value)}`);
  return String(value);
};

const pseudo = (name: string, context: ResolveContext): TemplateValue | undefined => {
  const values: Record<string, TemplateValue> = {
    'AWS::AccountId': context.account,
    'AWS::Region': context.region,
    'AWS::StackName': context.stackName,
    'AWS::StackId': `arn:aws:cloudformation:${context.region}:${context.account}:stack/${context.stackName}/local`,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::NotificationARNs': [],
    'AWS::NoValue': null,
  };
  return values[name];
};

const resourceOf = (logicalId: string, context: ResolveContext): Resource | undefined =>
  context.template.Resources[logicalId];

const reference: Intrinsic = (args, resolve, context) => {
  const name = text(args);
  const value = pseudo(name, context);
  if (value !== undefined) return value;
  const parameter = context.template.Parameters[name];
  if (parameter) {
    if (parameter.Default === undefined || parameter.Type.startsWith('AWS::SSM::'))
      throw new TemplateRefused(`parameter ${name} has no value outside AWS`);
    return resolve(parameter.Default);
  }
  const resource = resourceOf(name, context);
  if (!resource) throw new TemplateRefused(`Ref to ${name}, which is not there`);
  return context.identify(name, resource).ref;
};

const attribute: Intrinsic = (args, _resolve, context) => {
  const [logicalId = '', ...rest] = Array.isArray(args) ? args.map(text) : text(args).split('.');
  const resource = resourceOf(logicalId, context);
  if (!resource) throw new TemplateRefused(`Fn::GetAtt of ${logicalId}, which is not there`);
  const name = rest.join('.');
  const value = context.identify(logicalId, resource).attributes[name];
  if (value === undefined)
    throw new TemplateRefused(`Fn::GetAtt ${logicalId}.${name}: unknown for ${resource.Type} in the local runner`);
  return value;
};

const substitute: Intrinsic = (args, resolve, context) => {
  const [pattern, variables] = Array.isArray(args) ? [args[0], args[1]] : [args, {}];
  const given = (variables ?? {}) as Record<string, TemplateValue>;
  return text(pattern).replaceAll(/\$\{(!?)([^}]+)\}/g, (whole, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (Object.hasOwn(given, name)) return text(resolve(given[name]));
    return text(name.includes('.') ? attribute(name, resolve, context) : reference(name, resolve, context)) ?? whole;
  });
};

const condition = (value: unknown, resolve: Resolve, context: ResolveContext): boolean => {
  const [[name, args] = ['', undefined]] = Object.entries((value ?? {}) as Record<string, unknown>);
  const all = () => list(args as TemplateValue).map((each) => condition(each, resolve, context));
  if (name === 'Condition') return holds(text(args as TemplateValue), resolve, context);
  if (name === 'Fn::Equals') {
    const [left, right] = list(args as TemplateValue).map(resolve);
    return JSON.stringify(left) === JSON.stringify(right);
  }
  if (name === 'Fn::And') return all().every(Boolean);
  if (name === 'Fn::Or') return all().some(Boolean);
  if (name === 'Fn::Not') return !all()[0];
  throw new TemplateRefused(`condition function ${name} is unknown to the local runner`);
};

const holds = (name: string, resolve: Resolve, context: ResolveContext): boolean => {
  const body = context.template.Conditions[name];
  if (body === undefined) throw new TemplateRefused(`condition ${name} is not there`);
  return condition(body, resolve, context);
};

const INTRINSICS: Readonly<Record<string, Intrinsic>> = {
  Ref: reference,
  'Fn::GetAtt': attribute,
  'Fn::Sub': substitute,
  'Fn::Join': (args, resolve) => {
    const [separator, parts] = list(args);
    return list(resolve(parts)).map(text).join(text(separator));
  },
  'Fn::Select': (args, resolve) => {
    const [index, from] = list(args);
    const chosen = list(resolve(from))[Number(resolve(index))];
    if (chosen === undefined) throw new TemplateRefused(`Fn::Select ${JSON.stringify(index)} is out of range`);
    return chosen;
  },
  'Fn::Split': (args, resolve) => {
    const [separator, from] = list(args);
    return text(resolve(from)).split(text(separator));
  },
  'Fn::ImportValue': (args, resolve, context) => {
    const name = text(resolve(args));
    const value = context.exported(name);
    if (value === undefined) throw new TemplateRefused(`Fn::ImportValue ${name}: no stack exports it`);
    return value;
  },
  'Fn::FindInMap': (args, resolve, context) => {
    const [map = '', top = '', second = ''] = list(resolve(args)).map(text);
    const value = context.template.Mappings[map]?.[top]?.[second];
    if (value === undefined) throw new TemplateRefused(`Fn::FindInMap ${map}.${top}.${second} is not there`);
    return value as TemplateValue;
  },
  'Fn::If': (args, resolve, context) => {
    const [name, yes, no] = list(args);
    return resolve(holds(text(name), resolve, context) ? yes : no);
  },
  'Fn::GetAZs': (_args, _resolve, context) => ['a', 'b', 'c'].map((zone) => `${context.region}${zone}`),
};

/** `AWS::NoValue` takes its property away, as it does in CloudFormation. */
const isNoValue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as { Ref?: unknown }).Ref === 'AWS::NoValue';

export interface Resolver {
  /** Throws `TemplateRefused`. */
  resolve(value: unknown): TemplateValue;
  /** Does the condition hold? */
  holds(name: string): boolean;
}

export const createResolver = (context: ResolveContext): Resolver => {
  const resolve: Resolve = (value) => {
    if (Array.isArray(value)) return value.filter((each) => !isNoValue(each)).map(resolve);
    if (typeof value !== 'object' || value === null) return (value ?? null) as TemplateValue;
    const entries = Object.entries(value);
    const [name, args] = entries[0] ?? ['', null];
    if (entries.length === 1 && (name === 'Ref' || name.startsWith('Fn::'))) {
      const intrinsic = INTRINSICS[name];
      if (!intrinsic) throw new TemplateRefused(`${name} is unknown to the local runner`);
      return intrinsic(args as TemplateValue, resolve, context);
    }
    return Object.fromEntries(
      entries.filter(([, each]) => !isNoValue(each)).map(([key, each]) => [key, resolve(each)]),
    );
  };
  return { resolve, holds: (name) => holds(name, resolve, context) };
};

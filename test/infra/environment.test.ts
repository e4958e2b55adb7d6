/**
 * Lambda allows 4 KB of environment variables (AWS's documents): the size of each function's variables, with every name
 * at its longest.
 */
import { expect, it } from 'vitest';
import { everyTemplateOf, type Json, STAGE_NAMES } from './synthesized.ts';

const BYTES_MAX = 3_000;
/** Longer than the ARN of any role, key or queue, the name of any bucket, and the address of any API. */
const REFERENCE_BYTES = 110;
const PSEUDO: Record<string, string> = {
  'AWS::AccountId': '123456789012',
  'AWS::Partition': 'aws-us-gov',
  'AWS::Region': 'ap-southeast-1',
  'AWS::URLSuffix': 'amazonaws.com.cn',
};

const bytesOf = (value: Json): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value['Fn::Join'] !== undefined) {
    const [separator, parts] = value['Fn::Join'] as [string, Json[]];
    return parts.reduce((sum, part) => sum + bytesOf(part), separator.length * (parts.length - 1));
  }
  return PSEUDO[value.Ref]?.length ?? REFERENCE_BYTES;
};

it.each([...STAGE_NAMES.map((stage) => [stage, false] as const), ['dev', true] as const])(
  'stage %s, sandbox %s: no function has more than 3,000 bytes of variables',
  (stage, hasSandbox) => {
    const sizes = [...everyTemplateOf(stage, hasSandbox).values()]
      .flatMap(({ Resources }) => Object.values(Resources))
      .filter(({ Type }) => Type === 'AWS::Lambda::Function')
      .map(({ Properties }) => {
        const variables = Object.entries<Json>(Properties!.Environment?.Variables ?? {});
        const bytes = variables.reduce((sum, [name, value]) => sum + name.length + bytesOf(value), 0);
        return { functionId: Properties!.Description as string, bytes };
      });
    expect(Math.max(...sizes.map(({ bytes }) => bytes))).toBeGreaterThan(500);
    expect(sizes.filter(({ bytes }) => bytes > BYTES_MAX)).toEqual([]);
  },
);

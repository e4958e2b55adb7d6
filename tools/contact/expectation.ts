/**
 * What docs/wire describes, in a form that a program compares: made from visits to the simulated institutions, which
 * answer as docs/wire says. Pure.
 */
import * as z from 'zod';
import { COLUMN_WORDS } from './column-words.ts';
import type { CallShape, ContactReport } from './report.ts';
import { type BodyShape, readParentPath, seenTimes } from './shape.ts';
import { type KnownNames, wordsIn } from './value-kinds.ts';

const ExpectedBodySchema = z.object({
  kind: z.string(),
  signs: z.array(z.string()),
  objects: z.array(z.string()),
  /** Kinds of the values by field. A field of `always` is in each object of its path. */
  fields: z.record(z.string(), z.array(z.string())),
  always: z.array(z.string()),
});
export interface ExpectedBody extends z.infer<typeof ExpectedBodySchema> {}

const ExpectedCallSchema = z.object({
  step: z.string(),
  method: z.string(),
  address: z.string(),
  /** True if each visit makes the call. */
  isAlwaysMade: z.boolean(),
  statuses: z.array(z.string()),
  types: z.array(z.string()),
  redirects: z.array(z.string()),
  cookies: z.array(z.string()),
  /** Cookies that each visit gets from this call. */
  cookiesAlways: z.array(z.string()),
  bodies: z.array(ExpectedBodySchema),
});
export interface ExpectedCall extends z.infer<typeof ExpectedCallSchema> {}

export const ExpectationSchema = z.object({ source: z.string(), calls: z.array(ExpectedCallSchema) });
export interface Expectation extends z.infer<typeof ExpectationSchema> {}

export const callName = ({ step, method, address }: Pick<CallShape, 'step' | 'method' | 'address'>): string =>
  `${step}: ${method} ${address}`;

/** True if the field was in each object of its path. A field of an empty path was in each answer. */
export const isInEach = ({ objects, fields }: BodyShape, path: string): boolean => {
  const times = objects[readParentPath(path)];
  return times !== undefined && seenTimes(fields[path]!) >= times;
};

const allOf = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())].sort();
const inEach = (lists: readonly (readonly string[])[]): string[] =>
  allOf(lists).filter((name) => lists.every((list) => list.includes(name)));

const expectBody = ([kind, bodies]: readonly [string, readonly BodyShape[]]): ExpectedBody => {
  const paths = allOf(bodies.map(({ fields }) => Object.keys(fields)));
  return {
    kind,
    signs: allOf(bodies.map(({ signs }) => signs)),
    objects: allOf(bodies.map(({ objects }) => Object.keys(objects))),
    fields: Object.fromEntries(
      paths.map((path) => [path, allOf(bodies.map(({ fields }) => Object.keys(fields[path]?.kinds ?? {})))]),
    ),
    always: paths.filter((path) =>
      bodies.every((body) => (body.fields[path] ? isInEach(body, path) : !body.objects[readParentPath(path)])),
    ),
  };
};

const expectCall = (calls: readonly CallShape[], reports: readonly ContactReport[]): ExpectedCall => {
  const [{ step, method, address }] = calls as [CallShape];
  const visits = reports.filter((report) => report.calls.some((call) => call.step === step)).length;
  const names = (of: (call: CallShape) => Record<string, number>) => calls.map((call) => Object.keys(of(call)));
  const bodies = Map.groupBy(
    calls.flatMap((call) => call.bodies),
    ({ kind }) => kind,
  );
  return {
    ...{ step, method, address, isAlwaysMade: calls.length === visits },
    statuses: allOf(names(({ statuses }) => statuses)),
    types: allOf(names(({ types }) => types)),
    redirects: allOf(calls.map(({ redirects }) => redirects)),
    cookies: allOf(names(({ cookies }) => cookies)),
    cookiesAlways: inEach(names(({ cookies }) => cookies)),
    bodies: [...bodies].map(expectBody),
  };
};

/** @param reports visits of one source that went well */
export const buildExpectation = (reports: readonly ContactReport[]): Expectation => {
  const [{ source }] = reports as [ContactReport];
  const calls = Map.groupBy(
    reports.flatMap((report) => report.calls),
    callName,
  );
  return { source, calls: [...calls.values()].map((own) => expectCall(own, reports)) };
};

/** Returns the words and parts of addresses that the documents have. */
export const listKnownNames = ({ calls }: Expectation): KnownNames => ({
  words: new Set([
    ...COLUMN_WORDS,
    ...calls.flatMap(({ bodies }) => bodies.flatMap(({ fields }) => Object.keys(fields).flatMap(wordsIn))),
  ]),
  addressParts: new Set(
    calls.flatMap(({ address, redirects }) => [address, ...redirects].flatMap((each) => each.split('/'))),
  ),
});

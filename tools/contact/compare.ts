/** Compares a report with what docs/wire describes. Pure. */
import { callName, type Expectation, type ExpectedBody, type ExpectedCall, isInEach } from './expectation.ts';
import type { CallShape, ContactReport } from './report.ts';
import { type BodyShape, readParentPath } from './shape.ts';

const without = (names: readonly string[], known: readonly string[]): string[] =>
  names.filter((name) => !known.includes(name));

/** Kinds that a text may have although most of its values are words. */
const isOfText = (kind: string): boolean =>
  !['null', 'empty', 'true or false', 'number', 'number with decimals'].includes(kind);

const otherKinds = (seen: readonly string[], known: readonly string[]): string[] =>
  without(seen, known).filter((kind) => !(known.includes('text') && isOfText(kind)));

const nameOf = (path: string): string => (path === '' ? 'the answer' : path.replace(/^\./, ''));

const compareBody = (body: BodyShape, { signs, objects, fields, always }: ExpectedBody): string[] => [
  ...without(body.signs, signs).map((sign) => `a page with the sign "${sign}"`),
  ...without(Object.keys(body.objects), objects).map((path) => `new part: ${nameOf(path)}`),
  ...Object.entries(body.fields).flatMap(([path, { kinds }]) => {
    const known = fields[path];
    if (known === undefined) return [`new field: ${nameOf(path)} (${Object.keys(kinds).join(', ')})`];
    const others = otherKinds(Object.keys(kinds), known);
    return others.length === 0 ? [] : [`${nameOf(path)}: ${others.join(', ')}; known: ${known.join(', ')}`];
  }),
  ...always.flatMap((path) => {
    if (body.objects[readParentPath(path)] === undefined) return [];
    if (body.fields[path] === undefined) return [`missing field: ${nameOf(path)}`];
    return isInEach(body, path) ? [] : [`field that is sometimes missing: ${nameOf(path)}`];
  }),
];

const compareCall = (call: CallShape, expected: ExpectedCall): string[] => [
  ...without(Object.keys(call.statuses), expected.statuses).map((status) => `status ${status}`),
  ...without(Object.keys(call.types), expected.types).map((type) => `content type ${type}`),
  ...without(call.redirects, expected.redirects).map((address) => `redirect to ${address}`),
  ...without(Object.keys(call.cookies), expected.cookies).map((cookie) => `new cookie: ${cookie}`),
  ...without(expected.cookiesAlways, Object.keys(call.cookies)).map((cookie) => `missing cookie: ${cookie}`),
  ...call.bodies.flatMap((body) => {
    const known = expected.bodies.find(({ kind }) => kind === body.kind);
    if (known) return compareBody(body, known);
    const signs = body.signs.length === 0 ? '' : ` with the sign "${body.signs.join('", "')}"`;
    return [`the answer is ${body.kind}${signs}; known: ${expected.bodies.map(({ kind }) => kind).join(', ')}`];
  }),
];

/** Returns the differences, each as one line that names the call. Empty if the institution answered as described. */
export const compareReport = (report: ContactReport, { calls }: Expectation): string[] => {
  const expected = new Map(calls.map((call) => [callName(call), call]));
  const made = new Set(report.calls.map(callName));
  const steps = new Set(report.calls.map(({ step }) => step));
  const stopped = new Set(report.scopes.filter(({ stop }) => stop !== null).map(({ scope }) => scope));
  if (report.loginStop) stopped.add('login');
  return [
    ...report.calls.flatMap((call) => {
      const known = expected.get(callName(call));
      const found = known ? compareCall(call, known) : ['a call that is not described'];
      return found.map((one) => `${callName(call)}: ${one}`);
    }),
    // The calls after the place where a step stopped are missing for that reason.
    ...calls
      .filter(
        (call) => call.isAlwaysMade && steps.has(call.step) && !stopped.has(call.step) && !made.has(callName(call)),
      )
      .map((call) => `${callName(call)}: the call was not made`),
    ...report.scopes.flatMap(({ scope, stop }) => (stop ? [`${scope}: stopped, ${stop.code}: ${stop.message}`] : [])),
    ...(report.loginStop ? [`login: stopped, ${report.loginStop.code}: ${report.loginStop.message}`] : []),
  ];
};

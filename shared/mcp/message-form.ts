/** Reads messages as clients write them and answers in the form that they accept. */
import Negotiator from 'negotiator';
import { MCP_LIMITS } from '#shared/mcp/limits.ts';
import { parseJson } from '#shared/values/parse-json.ts';

type MessagePart = Record<string, unknown>;

const isObject = (value: unknown): value is MessagePart =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const withoutNulls = (value: MessagePart): MessagePart =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));

/** Nulls in the arguments and in the objects among them, such as `filters`. */
const withoutNullArguments = (args: MessagePart): MessagePart =>
  Object.fromEntries(
    Object.entries(withoutNulls(args)).map(([name, each]) => [name, isObject(each) ? withoutNulls(each) : each]),
  );

/**
 * Leaves out `params`, arguments and filters that are null, which Go, Java and C# write for absent ones. A body that is
 * no message stays as sent.
 */
export const dropNulls = (body: string): string => {
  if (!body.includes('null')) return body;
  const message = parseJson(body);
  if (!isObject(message) || message.params === undefined) return body;
  const { params, ...others } = message;
  if (params === null) return JSON.stringify(others);
  if (!isObject(params) || params.arguments === undefined) return body;
  const { arguments: args, ...named } = params;
  const kept = args === null ? {} : { arguments: isObject(args) ? withoutNullArguments(args) : args };
  return JSON.stringify({ ...others, params: { ...named, ...kept } });
};

/** True if the message has an id or an address of a resource that is too long to be sent back. */
export const repeatsTooMuch = (body: string): boolean => {
  if (body.length <= MCP_LIMITS.agentRepeatedCharsMax) return false;
  const message = parseJson(body);
  if (!isObject(message)) return false;
  const repeated = [message.id, isObject(message.params) ? message.params.uri : undefined];
  return repeated.some((text) => typeof text === 'string' && text.length > MCP_LIMITS.agentRepeatedCharsMax);
};

export const JSON_FORM = 'application/json';
export const EVENT_FORM = 'text/event-stream';

const DATA = 'data: ';

const messagesIn = (text: string, form: string): string[] =>
  form === EVENT_FORM
    ? text.split('\n').flatMap((line) => (line.startsWith(DATA) ? [line.slice(DATA.length)] : []))
    : [text];

/** True for a client that prefers an event to JSON, or that accepts events and gets several messages. */
const wantsEvents = (accept: string | undefined, messages: number): boolean => {
  const accepted = new Negotiator({ headers: { accept } }).mediaTypes([JSON_FORM, EVENT_FORM]);
  return messages > 1 ? accepted.includes(EVENT_FORM) : accepted[0] === EVENT_FORM;
};

/**
 * Returns an answer of the SDK in the form that the client accepts. A client that takes only JSON gets the last message,
 * which is the response: notifications before it, such as progress, are left out.
 */
export const inAcceptedForm = (
  text: string,
  form: string,
  accept: string | undefined,
): { form: typeof JSON_FORM | typeof EVENT_FORM; body: string } => {
  const messages = messagesIn(text, form);
  if (wantsEvents(accept, messages.length)) {
    const events = messages.map((message) => `event: message\n${DATA}${message}\n\n`);
    return { form: EVENT_FORM, body: events.join('') };
  }
  return { form: JSON_FORM, body: messages.at(-1) ?? text };
};

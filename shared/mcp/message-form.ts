/** Reads messages as clients write them and answers in the form that they accept. */
import Negotiator from 'negotiator';

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
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch {
    return body;
  }
  if (!isObject(message) || message.params === undefined) return body;
  const { params, ...others } = message;
  if (params === null) return JSON.stringify(others);
  if (!isObject(params) || params.arguments === undefined) return body;
  const { arguments: args, ...named } = params;
  const kept = args === null ? {} : { arguments: isObject(args) ? withoutNullArguments(args) : args };
  return JSON.stringify({ ...others, params: { ...named, ...kept } });
};

export const JSON_FORM = 'application/json';
export const EVENT_FORM = 'text/event-stream';

/** Returns one event only to a client that prefers it; JSON to every other client. */
export const chooseForm = (accept: string | undefined): typeof JSON_FORM | typeof EVENT_FORM => {
  const preferred = new Negotiator({ headers: { accept } }).mediaType([JSON_FORM, EVENT_FORM]);
  return preferred === EVENT_FORM ? EVENT_FORM : JSON_FORM;
};

const DATA = 'data: ';

/** Returns the message in the chosen form; each answer has one message. */
export const writeMessage = (text: string, from: string, form: string): string => {
  const message = from === EVENT_FORM ? text.split('\n').find((line) => line.startsWith(DATA)) : `${DATA}${text}`;
  if (message === undefined) return text;
  return form === EVENT_FORM ? `event: message\n${message}\n\n` : message.slice(DATA.length);
};

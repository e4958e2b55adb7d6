/** The form of an answer follows from what the client accepts, and no message of a stream is lost to one that takes streams. */
import { expect, test } from 'vitest';
import { EVENT_FORM, inAcceptedForm, JSON_FORM } from '#shared/mcp/message-form.ts';

const PROGRESS = '{"method":"notifications/progress"}';
const RESULT = '{"id":1,"result":{}}';
const event = (...messages: string[]): string => messages.map((one) => `event: message\ndata: ${one}\n\n`).join('');
const BOTH = `${JSON_FORM}, ${EVENT_FORM}`;

test.each([
  [undefined, JSON_FORM, RESULT],
  ['*/*', JSON_FORM, RESULT],
  [BOTH, JSON_FORM, RESULT],
  [EVENT_FORM, EVENT_FORM, event(RESULT)],
  [`${EVENT_FORM}, ${JSON_FORM};q=0.5`, EVENT_FORM, event(RESULT)],
])('one message for accept %s', (accept, form, body) => {
  expect(inAcceptedForm(event(RESULT), EVENT_FORM, accept)).toEqual({ form, body });
  expect(inAcceptedForm(RESULT, JSON_FORM, accept)).toEqual({ form, body });
});

test.each([
  [BOTH, EVENT_FORM, event(PROGRESS, RESULT)],
  ['*/*', EVENT_FORM, event(PROGRESS, RESULT)],
  [JSON_FORM, JSON_FORM, RESULT],
])('progress and a response for accept %s', (accept, form, body) => {
  expect(inAcceptedForm(event(PROGRESS, RESULT), EVENT_FORM, accept)).toEqual({ form, body });
});

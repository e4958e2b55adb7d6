import { expect, test } from 'vitest';
import { doneMessages } from '#tools/local/sqs-records.ts';

const IDS = ['a', 'b', 'c'];

test.each([
  ['a failed function', undefined, []],
  ['nothing answered', 'null', IDS],
  ['an empty answer', '{}', IDS],
  ['no list', '{"batchItemFailures":null}', IDS],
  ['an empty list', '{"batchItemFailures":[]}', IDS],
  ['one failed', '{"batchItemFailures":[{"itemIdentifier":"b"}]}', ['a', 'c']],
  ['the same one twice', '{"batchItemFailures":[{"itemIdentifier":"b"},{"itemIdentifier":"b"}]}', ['a', 'c']],
  ['an unknown identifier', '{"batchItemFailures":[{"itemIdentifier":"x"}]}', []],
  ['an empty identifier', '{"batchItemFailures":[{"itemIdentifier":""}]}', []],
  ['a null identifier', '{"batchItemFailures":[{"itemIdentifier":null}]}', []],
  ['a misspelt key', '{"batchItemFailures":[{"ItemIdentifier":"b"}]}', []],
  ['no list at all', '{"batchItemFailures":"b"}', []],
])('with ReportBatchItemFailures, %s', (_, json, done) => {
  expect(doneMessages(IDS, json)).toEqual(done);
});

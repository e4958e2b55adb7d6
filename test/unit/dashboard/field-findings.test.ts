/** The API's refusals split into findings, each assigned to its field. */
import { describe, expect, it } from 'vitest';
import { fieldName } from '#shared/http/request/issues.ts';
import { ApiRefusal } from '../../../dashboard/src/api/refusal.ts';
import { findingAt, findingsElsewhere, readFindings } from '../../../dashboard/src/problem/field-findings.ts';
import { ruleTexts } from '../../../dashboard/src/problem/plain-rule.ts';

const refused = (message: string) => readFindings(new ApiRefusal(422, 'validation_error', message, null));

describe('findingsOf', () => {
  it('names each field as the API does', () => {
    const path = fieldName(['event_types', 0]);
    const findings = refused(
      `credentials.rut is required; ${path} must be one of a, b; name must have at least 1 characters`,
    );
    expect(findings).toEqual([
      { field: 'credentials.rut', rule: ruleTexts.say('required') },
      { field: 'event_types[0]', rule: ruleTexts.say('one', { a: 'a, b' }) },
      { field: 'name', rule: ruleTexts.say('least.characters', { a: '1' }) },
    ]);
  });

  it('says a rule that it does not know in the words of the API', () => {
    expect(refused('url must not be a loopback address')).toEqual([
      { field: 'url', rule: 'This must not be a loopback address.' },
    ]);
  });

  it('gives a finding of the whole body no field', () => {
    expect(refused('body must be an object')).toEqual([{ field: '', rule: 'body must be an object' }]);
  });

  it.each([
    [409, 'connection_disabled'],
    [422, 'connection_other_company'],
    [500, 'internal_error'],
  ])('finds nothing in a %s %s, whose message names no field', (status, code) => {
    expect(readFindings(new ApiRefusal(status, code, 'These credentials are of another company.', null))).toEqual([]);
  });

  it('finds nothing in what is no refusal', () => {
    expect(readFindings(new Error('name is required'))).toEqual([]);
    expect(readFindings(null)).toEqual([]);
  });
});

describe('next to a field', () => {
  const findings = refused('event_types[0] is required; event_types_extra is required; name is required');

  it('shows its own findings and those of its parts, and none of a field with a longer name', () => {
    expect(findingAt(findings, 'event_types')).toBe(ruleTexts.say('required'));
    expect(findingAt(findings.slice(1), 'event_types')).toBeUndefined();
  });

  it('what no field shows is left for above the form', () => {
    expect(findingsElsewhere(findings, ['name', 'event_types']).map(({ field }) => field)).toEqual([
      'event_types_extra',
    ]);
  });
});

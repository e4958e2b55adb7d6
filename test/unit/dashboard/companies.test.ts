/** The home page: companies, what must be done about a connection, and the view in the address. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeRut, rutCheckDigit } from '#shared/values/rut.ts';
import type { Connection } from '../../../dashboard/src/api/client.ts';
import { groupCompanies } from '../../../dashboard/src/companies/group-companies.ts';
import { findNextStep, findState, isBehind, summarize } from '../../../dashboard/src/companies/next-step.ts';
import { readView, withChoice, withOffset, withoutChoices } from '../../../dashboard/src/companies/view.ts';
import { findTypedRut } from '../../../dashboard/src/connections/typed-rut.ts';
import { lastEndedMonth } from '../../../dashboard/src/text/month.ts';
import { dottedRut } from '../../../dashboard/src/text/rut.ts';

const NOW = Date.parse('2026-11-27T12:00:00Z');

type Fields = { [Name in keyof Connection]?: Connection[Name] | undefined };

const connection = (fields: Fields): Connection =>
  ({
    id: 'c',
    organization_id: 'o',
    external_source_code: 'tax',
    external_source_name: 'SII',
    name: 'Mi empresa',
    status: 'active',
    enabled_scopes: ['rcv'],
    scopes: [],
    metadata: {},
    sync_schedule_enabled: true,
    sync_frequency_minutes: 1_440,
    next_scheduled_sync_at: null,
    last_successful_sync_at: null,
    last_sync_status: 'succeeded',
    last_complete_period: '2026-10',
    attention: [],
    created_by: null,
    ...fields,
  }) as Connection;

describe('dottedRut', () => {
  it('equals the service’s spelling without its dots, for every text', () => {
    const bodies = fc.integer({ min: 1, max: 999_999_999 }).map(String);
    const ruts = bodies.map((body) => `${body}-${rutCheckDigit(body)}`);
    const spellings = fc.oneof(
      ruts,
      ruts.map((rut) => rut.replace('-', '').toLowerCase()),
      bodies,
      fc.string(),
    );
    fc.assert(
      fc.property(spellings, (text) => {
        expect(dottedRut(text)?.replaceAll('.', '')).toBe(normalizeRut(text));
      }),
    );
    expect(dottedRut('76192083-9')).toBe('76.192.083-9');
    expect(dottedRut('761920839')).toBe('76.192.083-9');
    expect(dottedRut('76192083-1')).toBeUndefined();
  });
});

describe('groupCompanies', () => {
  const metadata = fc.record(
    {
      company_rut: fc.constantFrom('76192083-9', '77000002-5', '', 7),
      company_name: fc.constantFrom('Ñandú SpA', 'Árbol', ' '),
    },
    { requiredKeys: [] },
  );
  const connections = fc.array(
    fc.record({ name: fc.constantFrom('Uno', 'Dos', 'Ñandú SpA'), metadata }).map((fields) => connection(fields)),
  );

  it('puts each connection into one company, and no two RUT into the same', () => {
    fc.assert(
      fc.property(connections, (list) => {
        const companies = groupCompanies(list);
        const grouped = companies.flatMap((company) => company.connections);
        expect(grouped).toHaveLength(list.length);
        expect(new Set(grouped)).toEqual(new Set(list));
        expect(new Set(companies.map(({ key }) => key)).size).toBe(companies.length);
        for (const company of companies) {
          const ruts = new Set(company.connections.map((each) => each.metadata.company_rut || undefined));
          expect(company.connections.length).toBeGreaterThan(0);
          if (company.rut !== null) expect(ruts.size).toBe(1);
          expect(company.name.trim()).not.toBe('');
        }
      }),
    );
  });

  it('names the company by any of its connections, and connections without one by their own names', () => {
    const rut = '76192083-9';
    const found = groupCompanies([
      connection({ name: 'SII', metadata: { company_rut: rut } }),
      connection({ name: 'Suelta' }),
      connection({ name: 'Banco', metadata: { company_rut: rut, company_name: 'Ñandú SpA' } }),
    ]);
    expect(found.map(({ name, rut: shown, connections: own }) => [name, shown, own.length])).toEqual([
      ['Ñandú SpA', '76.192.083-9', 2],
      ['Suelta', null, 1],
    ]);
  });
});

describe('findNextStep', () => {
  it.each<[string, Fields, [kind: string, path: string] | null]>([
    ['nothing', {}, null],
    [
      'a refused password',
      { attention: ['source.invalid_credentials'] },
      ['credentials', '/connections/c/credentials'],
    ],
    ['an unknown cause', { attention: ['connection.error'] }, ['credentials', '/connections/c/credentials']],
    [
      'an approval before a failure',
      { attention: ['connection.approval_pending', 'x'] },
      ['approve', '/connections/c'],
    ],
    ['nobody approved', { attention: ['source.mfa_timeout'] }, ['check', '/connections/c']],
    ['a login twice', { attention: ['tax.login_shared'] }, ['check', '/connections/c']],
    ['a month behind', { last_complete_period: '2026-09' }, ['months', '/connections/c/coverage']],
    ['no complete month', { last_complete_period: undefined }, ['look', '/connections/c/coverage']],
    ['nothing, without a schedule', { sync_schedule_enabled: false }, ['schedule', '/connections/c']],
    [
      'a month behind, without a schedule',
      { sync_schedule_enabled: false, last_complete_period: '2026-09' },
      ['months', '/connections/c/coverage'],
    ],
    ['a disabled connection without a schedule', { status: 'disabled', sync_schedule_enabled: false }, null],
    ['a disabled connection', { status: 'disabled', last_complete_period: '2026-01' }, null],
    [
      'no sync yet',
      { status: 'pending', last_complete_period: undefined, last_sync_status: null },
      ['first', '/connections/c'],
    ],
    [
      'a source without months',
      { external_source_code: 'procurement', enabled_scopes: ['licitaciones'], last_complete_period: undefined },
      null,
    ],
  ])('%s', (_, fields, expected) => {
    const step = findNextStep(connection(fields), NOW);
    expect(step && [step.kind, step.path]).toEqual(expected);
  });

  it('takes the month that is over in Chile', () => {
    expect(lastEndedMonth(Date.parse('2026-11-27T12:00:00Z'))).toBe('2026-10');
    // 23:30 of 31 December in Santiago.
    expect(lastEndedMonth(Date.parse('2027-01-01T02:30:00Z'))).toBe('2026-11');
    expect(lastEndedMonth(Date.parse('2027-01-01T03:30:00Z'))).toBe('2026-12');
    expect(isBehind(connection({ last_complete_period: '2026-10' }), Date.parse('2026-12-01T02:30:00Z'))).toBe(false);
    expect(isBehind(connection({ last_complete_period: '2026-10' }), Date.parse('2026-12-01T03:30:00Z'))).toBe(true);
  });
});

describe('summarize', () => {
  it('shows the worst state and the most severe step, and counts all', () => {
    const waiting = connection({ attention: ['connection.approval_pending'] });
    const behind = connection({ last_complete_period: '2026-01' });
    const refused = connection({ status: 'error', attention: ['source.password_expired'] });
    expect(findState(waiting)).toBe('approve');
    const unscheduled = connection({ sync_schedule_enabled: false });
    expect(summarize([connection({}), behind, refused, unscheduled], NOW)).toMatchObject({
      state: 'error',
      step: { kind: 'credentials' },
      steps: 2,
    });
    expect(summarize([refused, waiting], NOW)).toMatchObject({ state: 'approve', step: { kind: 'approve' }, steps: 2 });
    expect(summarize([connection({ status: 'disabled' }), unscheduled], NOW)).toEqual({
      state: 'active',
      step: null,
      steps: 0,
    });
  });
});

describe('the view', () => {
  const address = (text: string) => new URLSearchParams(text);

  it('is read from the address, without mistyped values', () => {
    expect(readView(address('q=pan&status=error&source=tax&show=attention&offset=200'))).toEqual({
      part: 'attention',
      filter: { q: 'pan', status: 'error', external_source_code: 'tax' },
      offset: 200,
    });
    const wrong = address(`status=ok&source=toString&show=x&offset=-1&q=${'a'.repeat(99)}`);
    expect(readView(wrong)).toEqual({ part: 'all', filter: { q: 'a'.repeat(64) }, offset: 0 });
  });

  it('begins at the first page after a change', () => {
    expect(String(withChoice(address('q=a&offset=200&show=months'), 'q', 'b'))).toBe('q=b&show=months');
    expect(String(withChoice(address('q=a&source=tax'), 'source', ''))).toBe('q=a');
    expect(String(withOffset(address('q=a'), 200))).toBe('q=a&offset=200');
    expect(String(withOffset(address('q=a&offset=200'), 0))).toBe('q=a');
    expect(String(withoutChoices(address('q=a&status=error&source=tax&show=months&offset=9')))).toBe('show=months');
  });
});

describe('findTypedRut', () => {
  it('takes the company before the person, and nothing that is no RUT', () => {
    expect(findTypedRut({ rut: '76192083-9' })).toBe('76.192.083-9');
    expect(findTypedRut({ rut: '76192083-9', company_rut: '77.000.002-5' })).toBe('77.000.002-5');
    expect(findTypedRut({ rut: '76192083-9', company_rut: ' ' })).toBe('76.192.083-9');
    expect(findTypedRut({ rut: '76192083', password: '77000002-5' })).toBeUndefined();
    expect(findTypedRut({ company_rut: '77000002', rut: '76192083-9' })).toBeUndefined();
  });
});

/**
 * Answers as public captures of the portal show them, through the adapter, the engine and the endpoints. Each file of
 * `test/fixtures/public-cases` holds the answers and the values that must be served; personal details are invented.
 */
import { expect, test } from 'vitest';
import type { Row } from '#shared/scopes/scope.ts';
import { SANDBOX_CREDENTIALS } from '#shared/sources/procurement/sandbox/credentials.ts';
import { answering, TENDER_CASES as CASES } from '#test/helpers/public-tender-cases.ts';
import { liar, portal, useLyingPortal } from './lying-portal.ts';

const WORKS = SANDBOX_CREDENTIALS[0]!;

useLyingPortal();

test('the cases are there', () => {
  expect(CASES.map(({ id }) => id).toSorted()).toEqual(['P01', 'P03', 'P04', 'P09', 'P30', 'P51']);
});

test.each(CASES.map((one) => [one.id, one.title, one] as const))('%s: %s', async (_id, _title, one) => {
  const { codigo, detail, questions, expected } = one;
  const scopes = [...(detail ? ['licitaciones'] : []), ...(questions ? ['preguntas'] : [])];
  liar.lie = answering(one);
  const connection = await portal.world.connect(WORKS.credentials);
  // The second sync compares the answer with the stored rows.
  for (let time = 1; time <= 2; time++) {
    const { status, outcomes } = await portal.sync(connection, { codigos: [codigo] }, scopes);
    const notices = scopes.flatMap((scope) => outcomes[scope]!.notices.map(({ code }) => code));
    expect({ status, notices }).toEqual({ status: expected.status, notices: expected.notices });
    if (detail) expect((await portal.ficha(codigo)).body.data).toMatchObject(expected.tender);
    if (!expected.questions) continue;
    const rows = await portal.rows('preguntas', codigo);
    expect(rows).toHaveLength(expected.questions.length);
    expect(rows).toMatchObject(expected.questions);
  }
});

test.each([
  ['P01', 'desierta'],
  ['P03', 'revocada'],
])('the tender of %s is found by its state, and a sync without codes leaves it alone', async (id, estado) => {
  const one = CASES.find((each) => each.id === id)!;
  const requests: string[] = [];
  liar.lie = (context) => {
    requests.push(context.url);
    return answering(one)(context);
  };
  const connection = await portal.world.connect(WORKS.credentials);
  await portal.sync(connection, { codigos: [one.codigo] }, ['licitaciones']);
  const { body } = await portal.tenders(`estado=${estado}`);
  expect(body.data.map(({ codigo }: Row) => codigo)).toContain(one.codigo);
  requests.length = 0;
  await portal.sync(connection, {}, ['licitaciones']);
  expect(requests.filter((url) => url.includes(one.codigo))).toEqual([]);
});

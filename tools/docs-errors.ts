/**
 * Generates the page that lists all codes, from the same tables as the description's extensions and the dashboard's
 * texts.
 */
import { ERROR_CATALOGUE } from '#shared/values/error-catalogue.ts';
import { type ListedNotice, NOTICE_CATALOGUE } from '#shared/values/notice-catalogue.ts';
import type { ReferenceDescription } from './docs-reference.ts';
import type { ShowingLogin } from './sandbox-credentials.ts';

const MENDERS = {
  owner: 'you',
  source: 'the institution',
  us: 'this service',
  nobody: 'nobody: no action is needed or possible',
} as const;

const code = (text: string): string => `\`${text}\``;

const loginIn = ({ source, entry }: ShowingLogin): string =>
  `${code(source)} with ${Object.entries(entry.credentials)
    .map(([name, value]) => `${name} ${code(value)}`)
    .join(', ')}${Object.entries(entry.metadata)
    .map(([name, value]) => `, ${name} ${code(JSON.stringify(value))}`)
    .join('')}`;

/** Returns the codes of error responses with their messages, from the responses in the description. */
const requestCodes = ({ paths, components }: ReferenceDescription): string[] => {
  const statuses = new Map<string, Set<string>>();
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item)))
    for (const [status, codes] of Object.entries(operation['x-error-codes'] ?? {}))
      for (const each of codes) statuses.set(each, (statuses.get(each) ?? new Set()).add(status));
  const sentences = new Map(
    Object.values(components.responses).flatMap(({ description }) =>
      [...description.matchAll(/^`(\w+)`: (.+)$/gm)].map(([, name, text]) => [name!, text!] as const),
    ),
  );
  return [
    '## Codes of refused requests',
    '',
    '| `error.code` | Status | When |',
    '| --- | --- | --- |',
    ...[...statuses]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, all]) => `| ${code(name)} | ${[...all].sort().join(', ')} | ${sentences.get(name) ?? ''} |`),
    '',
  ];
};

const loginLines = (logins: readonly ShowingLogin[] | undefined, noLogin: string | undefined): string =>
  logins === undefined ? noLogin! : `${logins.map(loginIn).join('; ')}.`;

type Logins = ReadonlyMap<string, ShowingLogin[]>;

const syncCodes = (logins: Logins): string[] => [
  '## Codes of runs and scopes',
  '',
  ...ERROR_CATALOGUE.flatMap(({ code: name, mender, retried, movesToError, es, en, noLogin }) => [
    `### ${code(name)}`,
    '',
    en,
    '',
    `- In Spanish: ${es}`,
    `- Mended by: ${MENDERS[mender]}.`,
    `- Tried again in the same run: ${retried ? 'yes, until its tries are used up' : 'no'}.`,
    ...(movesToError ? ['- The connection goes to `error`: give it new credentials.'] : []),
    `- In the sandbox: ${loginLines(logins.get(name), noLogin)}`,
    '',
  ]),
];

const noticeOf = (listed: readonly ListedNotice[], logins: Logins): string[] => {
  const [{ word, mender, es, en, todo, noLogin }] = listed as [ListedNotice];
  return [
    `### ${code(word)}`,
    '',
    en,
    '',
    `- In Spanish: ${es}`,
    `- Mended by: ${MENDERS[mender]}. A notice is never tried again in the same run.`,
    `- What to do: ${todo}`,
    '',
    '| Code | In the sandbox |',
    '| --- | --- |',
    ...listed.map((each) => `| ${code(each.code)} | ${loginLines(logins.get(each.code), noLogin)} |`),
    '',
  ];
};

const noticeCodes = (logins: Logins): string[] => [
  '## Codes of notices',
  '',
  'A code is the scope, or the source, and one of these words. A notice leaves the status of its scope as it is, but',
  'for `lines_unreadable`, which comes with a scope that is `partial`.',
  '',
  ...[...Map.groupBy(NOTICE_CATALOGUE, ({ word }) => word).values()].flatMap((listed) => noticeOf(listed, logins)),
];

/** Returns the Markdown of all codes, which is placed after the page's own text. */
export const codeCatalogue = (description: ReferenceDescription, logins: Logins): string =>
  [...requestCodes(description), ...syncCodes(logins), ...noticeCodes(logins)].join('\n');

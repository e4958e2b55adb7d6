/** Turns the unreleased part of the changelog into a release. Pure. */
import { unreleasedOf } from './breaking-changes.ts';

const VERSION = /^\d+\.\d+\.\d+$/;

export const hasRelease = (changelog: string): boolean => /^## \d/m.test(changelog);

/** Why the version cannot be released; undefined when it can. */
export const refusalOf = (changelog: string, version: string): string | undefined => {
  if (!VERSION.test(version)) return 'a version has the form 1.2.3';
  if (changelog.includes(`\n## ${version} `)) return `${version} is released already`;
  if (unreleasedOf(changelog).trim() === '') return 'nothing is unreleased';
  return undefined;
};

/** @param day YYYY-MM-DD */
export const released = (changelog: string, version: string, day: string): string =>
  changelog.replace('## Unreleased\n', `## Unreleased\n\n## ${version} - ${day}\n`);

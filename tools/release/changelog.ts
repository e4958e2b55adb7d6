/** Turns the unreleased part of the changelog into the part of a release. This module reads and writes no files. */
import { readUnreleased } from './breaking-changes.ts';

const VERSION = /^\d+\.\d+\.\d+$/;

export const hasRelease = (changelog: string): boolean => /^## \d/m.test(changelog);

/** Returns the reason why the version cannot be released; undefined when it can be released. */
export const findRefusal = (changelog: string, version: string): string | undefined => {
  if (!VERSION.test(version)) return 'a version has the form 1.2.3';
  if (changelog.includes(`\n## ${version} `)) return `${version} is released already`;
  if (readUnreleased(changelog).trim() === '') return 'nothing is unreleased';
  return undefined;
};

/** Returns the changelog with a heading for the release. @param day YYYY-MM-DD */
export const released = (changelog: string, version: string, day: string): string =>
  changelog.replace('## Unreleased\n', `## Unreleased\n\n## ${version} - ${day}\n`);

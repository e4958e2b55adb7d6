/** The example source for Airbyte, checked by Airbyte's own tests of a source and by one test of this repository. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackFile } from '#tools/local/stack-file.ts';
import { EXAMPLES, run } from './example-programs.ts';

const TESTS = join(import.meta.dirname, '../outside/airbyte/test_source.py');
const HOOKS = 'airbyte_cdk.test.standard_tests.pytest_hooks';
/** Makes an error of a rule that Airbyte does not enforce yet. */
const WARNINGS = 'error::airbyte_cdk.test.standard_tests.DiscoveredCatalogWarning';
/** Those tests need Docker. */
const OTHERS = 'not image_tests';

export const REQUIREMENTS = join(EXAMPLES, 'requirements-airbyte.txt');

/** Tests that must pass; none may be skipped. */
export const TESTS_OF_A_SOURCE = [
  "test_basic_read['config' Test Scenario]",
  "test_check['config' Test Scenario]",
  "test_check['unknown-key' Test Scenario]",
  "test_config_matches_spec['config' Test Scenario]",
  "test_discover['config' Test Scenario]",
  "test_fail_read_with_bad_catalog['config' Test Scenario]",
  'test_spec',
];
export const OWN_TESTS = [
  'test_the_connections_are_those_of_the_list',
  'test_a_read_goes_on_from_each_state',
  'test_after_a_restore_it_says_what_to_do',
];

export interface Verdict {
  passed: string[];
  /**
   * From the repository's own test: listed rows, changes read from the beginning, their deletions, and states that
   * reads resumed from.
   */
  seen: { rows: number; changes: number; deleted: number; states: number };
}

/**
 * @param programs folder of the Python that has the packages
 * @param folder stores what the source emitted, for the next judgement
 * @throws Error with all printed output if a test failed
 */
export const judgeSource = async (programs: string, folder: string, { api, api_key }: StackFile): Promise<Verdict> => {
  const own = join(folder, 'airbyte');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'config.json'), JSON.stringify({ api, api_key }));
  const { out } = await run(
    join(programs, 'python'),
    ['-m', 'pytest', '-p', HOOKS, '-p', 'no:cacheprovider', '-W', WARNINGS, '-m', OTHERS, '-q', '-rA', TESTS],
    // Configurations with the key are written to TMPDIR.
    { SOURCE: join(EXAMPLES, 'guides/airbyte.py'), FOLDER: own, TMPDIR: own, PYTHONDONTWRITEBYTECODE: '1' },
  );
  return {
    passed: [...out.matchAll(/^PASSED .*::(.+)$/gm)].map(([, name]) => name!).sort(),
    seen: JSON.parse(/^\{"rows".*\}$/m.exec(out)![0]),
  };
};

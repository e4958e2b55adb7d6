/**
 * Orders the files of a project for its shared workers. In CI the seed decides, because order must not matter.
 * Elsewhere the longest of the last run comes first, so that no worker waits for the last file.
 */
import { hash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { IS_WHOLE } from './effort.ts';

/** The long files of `test/outside`, longest first: each takes minutes, and starting one last doubles the time. */
const LONG = ['proofs-of-other-runtimes', 'emulator-table', 'mirrors', 'conformance', 'guide-samples'];

/** The position in `LONG`; any other file comes after them. */
const rankOf = ({ project, moduleId }: TestSpecification): number => {
  const at = project.name === 'outside' ? LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`)) : -1;
  return at === -1 ? LONG.length : at;
};

export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    if (!IS_WHOLE) return sorted;
    const { seed } = this.ctx.config.sequence;
    const place = ({ moduleId }: TestSpecification): string => hash('sha256', `${seed} ${moduleId}`);
    const isBefore = (a: TestSpecification, b: TestSpecification): boolean =>
      rankOf(a) === rankOf(b) ? place(a) < place(b) : rankOf(a) < rankOf(b);
    const projects = Map.groupBy(sorted, ({ project }) => project);
    return [...projects.values()].flatMap((own) => own.toSorted((a, b) => (isBefore(a, b) ? -1 : 1)));
  }
}

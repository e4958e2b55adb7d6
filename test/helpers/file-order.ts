/**
 * Files of a project one after another, so that they share its workers. In CI in the random order of the seed, for order
 * must not matter; elsewhere the longest of the run before first, so that no worker waits for the last one.
 */
import { hash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { IS_WHOLE } from './effort.ts';

export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    if (!IS_WHOLE) return sorted;
    const { seed } = this.ctx.config.sequence;
    const place = ({ moduleId }: TestSpecification): string => hash('sha256', `${seed} ${moduleId}`);
    const isBefore = (a: TestSpecification, b: TestSpecification): boolean => place(a) < place(b);
    const projects = Map.groupBy(sorted, ({ project }) => project);
    return [...projects.values()].flatMap((own) => own.toSorted((a, b) => (isBefore(a, b) ? -1 : 1)));
  }
}

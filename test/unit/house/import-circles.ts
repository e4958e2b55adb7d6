/** Import circles, types included: a reader of one file of a circle has to read all of them. */
import type { CodeFile } from './code-files.ts';

interface Visit {
  index: number;
  /** The earliest file on the path that this file leads back to. */
  low: number;
  isOnPath: boolean;
}

/** Tarjan's strongly connected components of more than one file, each sorted. */
export const importCircles = (files: readonly CodeFile[]): string[][] => {
  const targets = new Map(files.map(({ path, imports }) => [path, imports.flatMap(({ file }) => file ?? [])]));
  const visits = new Map<string, Visit>();
  const path: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): Visit => {
    const own: Visit = { index: visits.size, low: visits.size, isOnPath: true };
    visits.set(file, own);
    path.push(file);
    for (const target of targets.get(file) ?? []) {
      if (!targets.has(target)) continue;
      const known = visits.get(target);
      if (known === undefined) own.low = Math.min(own.low, visit(target).low);
      else if (known.isOnPath) own.low = Math.min(own.low, known.index);
    }
    if (own.low === own.index) {
      const circle = path.splice(path.indexOf(file));
      for (const each of circle) visits.get(each)!.isOnPath = false;
      if (circle.length > 1 || targets.get(file)?.includes(file)) circles.push(circle.sort());
    }
    return own;
  };
  for (const file of targets.keys()) if (!visits.has(file)) visit(file);
  return circles;
};

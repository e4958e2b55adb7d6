/** The parts of the benchmark: each is a script that judges its lines and writes one JSON file. */
export interface Part {
  /** Name of its result in dist/bench. */
  name: string;
  script: string;
  lines: readonly number[];
  what: string;
  /** Duration on two idle cores. */
  minutes: number;
  full: readonly string[];
  /** For a quick check that it runs: figures of such sizes mean nothing. */
  small: readonly string[];
}

export const PARTS: readonly Part[] = [
  {
    name: 'pages',
    script: 'pages.ts',
    lines: [1, 2, 3],
    what: 'units and time of pages, totals, the list compared with a bare query; 200,000 documents',
    minutes: 2.5,
    full: [],
    small: ['--rows', '20000', '--rounds', '5'],
  },
  {
    name: 'first-sync',
    script: 'first-sync.ts',
    lines: [4, 5, 6],
    what: 'storing 20,000 documents, the same again, 1 % changed, compared with bare writes',
    minutes: 3,
    full: ['--rounds', '3'],
    small: ['--documents', '1000', '--rounds', '1'],
  },
  {
    name: 'deliveries',
    script: 'deliveries.ts',
    lines: [7, 8],
    what: 'how soon a webhook leaves, and how many per second compared with the durable minimum',
    minutes: 2,
    full: [],
    small: ['--seconds', '4', '--deliveries', '100', '--rounds', '1'],
  },
  {
    name: 'changes',
    script: 'changes.ts',
    lines: [13, 14, 15],
    what: 'the change feed: nothing new, 10,000 changes, 100 changes far apart in 100,000 rows',
    minutes: 1.5,
    full: [],
    small: ['--rows', '1000', '--month', '800', '--large', '2000', '--changed', '20', '--rounds', '5'],
  },
  {
    name: 'fair-use',
    script: 'fair-use.ts',
    lines: [16],
    what: "another organization's pages while a key loops",
    minutes: 1,
    full: [],
    small: ['--rounds', '2', '--pages', '20'],
  },
];

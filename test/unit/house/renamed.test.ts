/** Names that were replaced with common technical terms (docs/glossary.md) must not return. */
import { expect, test } from 'vitest';
import { type CodeFile, codeFiles } from './code-files.ts';

const RENAMED =
  'ScopeWork hintRun hintWork hintDelivery hintDeliveries hintOf hintOfAnnounced DeliveryHint workOnScope oneTry ' +
  'tryAgain whatNow putAway sendOn handOver putOff waitForPlace Turn TurnsAhead readTurns turnAsTold findTurns takeTurn ' +
  'givenUp takesUp Try asKnown obey markingOthers aboveZero ' +
  'asAnnounced creation areAllTaken ClaimRefused RunChanged WorkMoved DeliveryMoved WebhookChanged ' +
  'ConnectionChanged IndexMoved MemoryMoved Login finalVerdict answerBook UnreadAnswer PartDefinition dayCut cutBetween ' +
  'cutOf gravestError mends sharedTexts inParallel unlogged throwAway tellScheduler removeForeignSchedules ' +
  'keptByDay redriveRun redriveWork redriveDelivery redriveSession redrivePurge nextLookMs movedAtMs lookAt givenBack ' +
  'Exchange ApiConflict findOf searchFor writeParts WrittenParts partsInOrder PartPage readPartPage partsBefore ' +
  'partsCount removedParts judgeState judgeType judgeGuides judgeGiven triesAfterLease ensureComparison ' +
  'claimComparison advanceComparison lateWriterAttributes WorkState';

const names = new Set(RENAMED.split(' '));
const DECLARATION = /\b(?:const|let|function\*?|class|interface|type)\s+([A-Za-z_$][\w$]*)/g;

const declared = (files: readonly CodeFile[]): string[] =>
  files.flatMap(({ path, code }) =>
    [...code.matchAll(DECLARATION)].flatMap(([, name]) => (names.has(name!) ? [`${path}: ${name}`] : [])),
  );

test('no renamed identifier is declared', () => {
  const ours = codeFiles().filter(({ path }) => /^(?:shared|functions|infra|tools)\//.test(path));
  expect(ours.length).toBeGreaterThan(700);
  expect(declared(ours)).toEqual([]);
});

test('a declared one is found', () => {
  const code = 'export const hintRun = 1;\ninterface Turn {}\nasync function mends() {}\nconst workshop = 2;';
  expect(declared([{ path: 'shared/a.ts', lines: 4, code, imports: [] }])).toEqual([
    'shared/a.ts: hintRun',
    'shared/a.ts: Turn',
    'shared/a.ts: mends',
  ]);
});

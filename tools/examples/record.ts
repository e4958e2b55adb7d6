/**
 * `npm run examples`: records the local stack's response to each operation, as examples for the description (`npm run
 * gen` inserts them). The stack uses its own data folder and clock.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withStack } from '#tools/local/demo/with-stack.ts';
import type { StackFile } from '#tools/local/stack-file.ts';
import { RECORDED } from './recorded.ts';
import { createRecorder } from './recorder.ts';
import { stabilize } from './stable.ts';
import { playStory } from './story.ts';

/** Time of the recording. It never changes, because the data of the simulated institutions depends on it. */
const RECORDED_AT = '2026-11-02T12:00:00.000Z';
const HOOK = 'https://example.com/webhooks';
const ISSUER = 'https://app.example';
const DOCUMENTS = 'https://documents.example.com';
const CALLER = '203.0.113.10';

const clockOf = async ({ api }: StackFile): Promise<number> => {
  const answer = await fetch(`${new URL(api).origin}/_local/clock`);
  return Date.parse(((await answer.json()) as { now: string }).now);
};

/**
 * Returns the stack's addresses and their replacements. The origin of the local bucket comes from `link`, the only
 * recorded link to a file.
 */
const addressesOf = (stack: StackFile, link: string): Record<string, string> => ({
  [stack.inbox]: HOOK,
  [encodeURIComponent(new URL(stack.api).origin)]: encodeURIComponent(ISSUER),
  [new URL(link).origin]: DOCUMENTS,
  // The recorder's own address, in events of the audit trail. It is replaced last, because the other addresses contain it.
  '127.0.0.1': CALLER,
});

const folder = mkdtempSync(join(tmpdir(), 'examples-'));
try {
  process.env.PORT = '0';
  const startedMs = Date.parse(RECORDED_AT);
  writeFileSync(join(folder, 'clock.json'), JSON.stringify({ offset_ms: startedMs - Date.now(), seen_ms: startedMs }));
  const bodies = await withStack(folder, async (stack) => {
    const recorder = await createRecorder(stack);
    await playStory(recorder, stack);
    const addresses = addressesOf(stack, recorder.bodies.getDocumentoLink.data.url);
    return stabilize({ bodies: recorder.bodies, startedMs, endedMs: await clockOf(stack), addresses });
  });
  // Each operation has its own line in the file, so that a diff shows which operation changed.
  const lines = Object.entries(bodies).map(([name, body]) => `${JSON.stringify(name)}: ${JSON.stringify(body)}`);
  writeFileSync(RECORDED, `{\n${lines.join(',\n')}\n}\n`);
  console.log(`${Object.keys(bodies).length} examples recorded: run \`npm run gen\``);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

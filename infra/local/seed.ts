/** Called once the stack is up: one organization with a key and a session, and what to try first. */
import type { LocalStack } from './stack.ts';

export type SeedContext = LocalStack;

export const seed = async (stack: SeedContext): Promise<void> => {
  console.log(`API     ${stack.apiUrl}/api\nInbox   ${stack.inboxUrl}`);
  for (const [code, { url }] of Object.entries(stack.sandboxes)) console.log(`Sandbox ${code}: ${url}`);
};

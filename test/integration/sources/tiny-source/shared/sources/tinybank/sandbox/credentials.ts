/** Two rows: one that works, one that does not. */
import type { SandboxCredential } from '#shared/sources/sandbox-kit/credential.ts';

const entry = (user: string, behaviour: string, outcomes: SandboxCredential['outcomes'] = {}): SandboxCredential => ({
  label: behaviour,
  credentials: { user, password: 'tiny-password' },
  metadata: {},
  behaviour,
  outcomes,
});

export const SANDBOX_CREDENTIALS: readonly SandboxCredential[] = [
  entry('ana', 'works'),
  entry('berta', 'wrong_password', { '*': 'source.invalid_credentials' }),
];

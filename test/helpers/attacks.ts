/**
 * Attacks on the authorization of agents (docs/adr/0033), by number. Each is a named test: `attack <number>: …`
 * (test/unit/agents/attacks.test.ts looks for them).
 */
export const ATTACKS: Readonly<Record<number, string>> = {
  1: 'a redirect address of somebody else: reported on the page',
  2: 'a path below, a host that looks alike: reported on the page',
  3: 'a script as address: reported on the page',
  4: 'user info or a backslash in the address: reported on the page',
  5: 'another path of a local program: reported on the page; another port is fine',
  6: 'a repeated redirect address: reported on the page; a repeated state: sent back',
  7: 'no challenge: sent back',
  8: 'a plain challenge: sent back',
  9: 'a wrong verifier: refused, and the code is still good',
  10: 'a code again: the grant is revoked',
  11: 'fifty redemptions at once: at most one succeeds',
  12: "another client's code",
  13: 'a code with another redirect address',
  14: 'a code after 60 seconds',
  15: 'an old refresh token: the grant is revoked',
  16: 'the same within 30 seconds is a sibling; its later reuse is noticed',
  17: 'a refresh by another client: refused, nothing changes',
  18: 'a wider scope or another resource at the refresh',
  19: 'a foreign resource: sent back',
  20: 'an answer of another server: every answer says whose it is',
  21: 'a decision from a foreign page',
  22: 'the page in a frame',
  23: 'a document that changes between question and answer',
  24: 'a decision by key or token',
  25: 'a document at private, mapped, rebinding, redirecting hosts',
  26: 'a document that is slow, large, or of another id',
  27: 'an edited or huge registered id: reported on the page',
  28: 'a token in the query or a cookie',
  29: 'a token of a revoked grant',
  30: "another organization's grant",
  31: 'an access token on schedule, sync, procurement and grants',
  32: 'a request to the agents’ endpoint from a foreign origin',
  33: 'forged host headers',
  34: 'text of a bank with orders, directions and tags',
  35: 'a foreign cursor, connection, document',
  36: 'a token, code or verifier in table or log',
  37: 'a flood of registrations',
};

/** Attacks on the MCP endpoint itself. */
export const AT_THE_MCP_ENDPOINT: readonly number[] = [32, 34, 35];

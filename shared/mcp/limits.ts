/** Limits of answers to agents (docs/adr/0034). */
export const MCP_LIMITS = {
  /** Largest answer of a tool as JSON. An agent pays for every byte. */
  agentAnswerBytesMax: 8_192,
  /** Longest text written by a third party, in code points. */
  agentTextCharsMax: 200,
  /** Longest text written by a third party if a single row would not fit into an answer. */
  agentShortTextCharsMax: 40,
  agentRowsMax: 50,
  agentRowsDefault: 20,
  agentConnectionsMax: 10,
  /** Longest text of a message that an answer repeats: its id, or the address of a resource. */
  agentRepeatedCharsMax: 1_000,
  agentCallsPerMinute: 60,
  agentCallsPerOrganizationAndMinute: 300,
  /** Longest cursor. A cursor contains an offset and a digest. */
  agentCursorCharsMax: 64,
  /**
   * A scope is reported as stale if it had no successful sync in this time. The time is two days of the slowest
   * schedule.
   */
  agentStaleHours: 48,
  /**
   * Time for which clients may cache the lists of tools, prompts and resources. The lists are the same for every caller
   * and change only with a release.
   */
  agentListsSeconds: 3_600,
} as const;

/** Limits of answers to agents (docs/adr/0034). */
export const MCP_LIMITS = {
  /** Size of a tool's answer as JSON. An agent pays for every byte. */
  agentAnswerBytesMax: 8_192,
  /** Length of a text written by a third party, in code points. */
  agentTextCharsMax: 200,
  /** The shorter limit for such texts if a single row would not fit. */
  agentShortTextCharsMax: 40,
  agentRowsMax: 50,
  agentRowsDefault: 20,
  agentConnectionsMax: 10,
  agentCallsPerMinute: 60,
  agentCallsPerOrganizationAndMinute: 300,
  /** Length of a cursor: an offset and a digest. */
  agentCursorCharsMax: 64,
  /** A scope without a successful sync for this time is reported as stale: two days of the slowest schedule. */
  agentStaleHours: 48,
  /** Lists of tools, prompts and resources are the same for every caller and change only with a release. */
  agentListsSeconds: 3_600,
} as const;

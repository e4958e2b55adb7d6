/** Limits of what agents are answered (docs/adr/0034). */
export const MCP_LIMITS = {
  /** What a tool answers, as JSON: an agent pays for every byte. */
  agentAnswerBytesMax: 8_192,
  /** Of a text that a third party wrote, in code points. */
  agentTextCharsMax: 200,
  /** Of the same where a single row would not fit. */
  agentShortTextCharsMax: 40,
  agentRowsMax: 50,
  agentRowsDefault: 20,
  agentConnectionsMax: 10,
  agentCallsPerMinute: 60,
  agentCallsPerOrganizationAndMinute: 300,
  /** Of a cursor: an offset and a digest. */
  agentCursorCharsMax: 64,
  /** A scope that no sync ended well for so long is told as stale: two days of the slowest schedule. */
  agentStaleHours: 48,
  /** Lists of tools, prompts and resources are the same for every caller, and change with a release alone. */
  agentListsSeconds: 3_600,
} as const;

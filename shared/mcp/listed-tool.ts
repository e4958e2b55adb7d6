/** A tool in the form of `tools/list`, generated from its schemas (`describe-tools.ts`). */
import list from './tool-list.gen.json' with { type: 'json' };

export interface ListedTool {
  name: string;
  title: string;
  description: string;
  /** JSON Schema, draft 2020-12. */
  inputSchema: { type: 'object'; [keyword: string]: unknown };
  annotations: Readonly<Record<string, boolean>>;
}

export const LISTED_TOOLS = list as readonly ListedTool[];

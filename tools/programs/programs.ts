/** Programs of others that `npm run programs` tries. Each has a script and pinned packages. */
export interface ForeignProgram {
  /** Name of the package, as its registry has it. */
  name: string;
  from: 'PyPI' | 'npm';
  /** The script's name, without its extension, in the folder of the language. */
  script: string;
  /** Versions of a program of npm; those of Python are in the file of requirements with the script's name. */
  packages?: Readonly<Record<string, string>>;
  /** True if the program signs in by itself, from the bare address. Others get an access token. */
  signsIn: boolean;
  /** What it does, for the table of docs/mcp-conformance.md. */
  does: string;
}

const MAKES = 'makes its own tools of all of ours, and calls one with the id of a connection';

export const PROGRAMS: readonly ForeignProgram[] = [
  { name: 'google-genai', from: 'PyPI', script: 'google_genai_tools', signsIn: false, does: MAKES },
  { name: 'autogen-ext', from: 'PyPI', script: 'autogen_tools', signsIn: false, does: MAKES },
  {
    name: 'openai-agents',
    from: 'PyPI',
    script: 'openai_agents_tools',
    signsIn: false,
    does: `${MAKES}; all are strict but \`whoami\`, whose empty arguments would need \`additionalProperties: false\``,
  },
  { name: 'langchain-mcp-adapters', from: 'PyPI', script: 'langchain_tools', signsIn: false, does: MAKES },
  { name: 'llama-index-tools-mcp', from: 'PyPI', script: 'llama_index_tools', signsIn: false, does: MAKES },
  {
    name: 'fastmcp',
    from: 'PyPI',
    script: 'fastmcp_signs_in',
    signsIn: true,
    does: 'signs in at `http://localhost:<port>/api/mcp` with its own OAuth client, lists the tools and calls one',
  },
  {
    name: 'ai',
    from: 'npm',
    script: 'ai-sdk',
    packages: { ai: '7.0.173', '@ai-sdk/mcp': '2.0.99' },
    signsIn: false,
    does: `${MAKES} (client \`@ai-sdk/mcp\` 2.0.99)`,
  },
];

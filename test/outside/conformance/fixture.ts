/**
 * Tools, prompts and resources that the conformance suite needs, to test our adapter with features that our own server
 * does not use: ask the client back, report progress, log. They follow the suite's descriptions of its scenarios.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  acceptedContent,
  completable,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  McpServer,
  type McpServerFactory,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };

const states = createRequestStateCodec<{ step: number }>({ key: randomBytes(32) });

const ask = (message: string, field: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  });

const question = (said: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: said } }],
    maxTokens,
  });

const addContents = (server: McpServer): void => {
  server.registerTool('test_simple_text', { description: 'Text' }, () =>
    text('This is a simple text response for testing.'),
  );
  server.registerTool('test_image_content', { description: 'Image' }, () => ({ content: [image] }));
  server.registerTool('test_audio_content', { description: 'Audio' }, () => ({
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  }));
  server.registerTool('test_embedded_resource', { description: 'Resource' }, () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }));
  server.registerTool('test_multiple_content_types', { description: 'Mixed' }, () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      },
    ],
  }));
  server.registerTool('test_error_handling', { description: 'Error' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
};

const logThrice = async ({ mcpReq }: ServerContext): Promise<void> => {
  await mcpReq.log('info', 'Tool execution started');
  await sleep(50);
  await mcpReq.log('info', 'Tool processing data');
  await sleep(50);
  await mcpReq.log('info', 'Tool execution completed');
};

const addNotifying = (server: McpServer): void => {
  for (const name of ['test_tool_with_logging', 'test_logging_tool'])
    server.registerTool(name, { description: 'Logs' }, async (context) => {
      await logThrice(context);
      return text('Logged.');
    });
  server.registerTool('test_tool_with_progress', { description: 'Progress' }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      await sleep(50);
    }
    return text('Done.');
  });
};

/** Asking back within one answer: the client repeats the call with the requested input. */
const addAskingInAnswers = (server: McpServer): void => {
  server.registerTool('test_input_required_result_elicitation', { description: 'Asks' }, ({ mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, 'user_name', z.object({ name: z.string() }));
    if (given) return text(`Hello, ${given.name}!`);
    return inputRequired({ inputRequests: { user_name: ask('What is your name?', 'name') } });
  });
  server.registerTool('test_streaming_elicitation', { description: 'Asks' }, ({ mcpReq }) => {
    if (acceptedContent(mcpReq.inputResponses, 'user_name')) return text('Thank you.');
    return inputRequired({ inputRequests: { user_name: ask('What is your name?', 'name') } });
  });
  server.registerTool('test_input_required_result_sampling', { description: 'Asks' }, ({ mcpReq }) => {
    const given = inputResponse(mcpReq.inputResponses, 'capital_question');
    if (given.kind === 'sampling') return text(`Answer: ${JSON.stringify(given.result.content)}`);
    return inputRequired({ inputRequests: { capital_question: question('What is the capital of France?', 100) } });
  });
  for (const name of ['test_missing_capability', 'test_input_required_result_capabilities'])
    server.registerTool(name, { description: 'Asks' }, ({ mcpReq }) => {
      const given = inputResponse(mcpReq.inputResponses, 'capital_question');
      if (given.kind === 'sampling') return text('Answered.');
      return inputRequired({ inputRequests: { capital_question: question('What is the capital of France?', 100) } });
    });
  server.registerTool('test_input_required_result_list_roots', { description: 'Asks' }, ({ mcpReq }) => {
    const given = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (given.kind === 'roots') return text(`Roots: ${given.roots.map(({ uri }) => uri).join(', ')}`);
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
};

const addAskingWithState = (server: McpServer): void => {
  for (const name of ['test_input_required_result_request_state', 'test_input_required_result_tampered_state'])
    server.registerTool(name, { description: 'Keeps a state' }, async (context) => {
      const { mcpReq } = context;
      if (mcpReq.requestState<{ step: number }>()?.step === 1 && acceptedContent(mcpReq.inputResponses, 'confirm'))
        return text('state-ok');
      return inputRequired({
        inputRequests: {
          confirm: inputRequired.elicit({
            message: 'Please confirm',
            requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
          }),
        },
        requestState: await states.mint({ step: 1 }, context),
      });
    });
  server.registerTool('test_input_required_result_multiple_inputs', { description: 'Asks much' }, async (context) => {
    const { inputResponses } = context.mcpReq;
    const hasAll =
      acceptedContent(inputResponses, 'user_name') !== undefined &&
      inputResponse(inputResponses, 'greeting').kind === 'sampling' &&
      inputResponse(inputResponses, 'client_roots').kind === 'roots';
    if (hasAll) return text('All answered.');
    return inputRequired({
      inputRequests: {
        user_name: ask('What is your name?', 'name'),
        greeting: question('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await states.mint({ step: 1 }, context),
    });
  });
  server.registerTool('test_input_required_result_multi_round', { description: 'Asks twice' }, async (context) => {
    const { mcpReq } = context;
    const step = mcpReq.requestState<{ step: number }>()?.step ?? 0;
    if (step === 2 && acceptedContent(mcpReq.inputResponses, 'step2')) return text('Both answered.');
    if (step === 1 && acceptedContent(mcpReq.inputResponses, 'step1'))
      return inputRequired({
        inputRequests: { step2: ask('Step 2: What is your favorite color?', 'color') },
        requestState: await states.mint({ step: 2 }, context),
      });
    return inputRequired({
      inputRequests: { step1: ask('Step 1: What is your name?', 'name') },
      requestState: await states.mint({ step: 1 }, context),
    });
  });
};

const addPrompts = (server: McpServer): void => {
  const said = (words: string) => ({ role: 'user' as const, content: { type: 'text' as const, text: words } });
  server.registerPrompt('test_simple_prompt', { description: 'Simple' }, () => ({
    messages: [said('This is a simple prompt for testing.')],
  }));
  const argsSchema = z.object({ arg1: completable(z.string(), () => ['paris', 'park', 'party']), arg2: z.string() });
  server.registerPrompt('test_prompt_with_arguments', { description: 'Arguments', argsSchema }, ({ arg1, arg2 }) => ({
    messages: [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  }));
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          },
        },
        said('Please process the embedded resource above.'),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Image' }, () => ({
    messages: [{ role: 'user', content: image }, said('Please analyze the image above.')],
  }));
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks' }, ({ mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, 'user_context');
    if (given) return { messages: [said(`Context: ${String(given.context)}`)] };
    return inputRequired({
      inputRequests: { user_context: ask('What context should the prompt use?', 'context') },
    });
  });
};

const addResources = (server: McpServer): void => {
  server.registerResource('static-text', 'test://static-text', { mimeType: 'text/plain' }, () => ({
    contents: [
      {
        uri: 'test://static-text',
        mimeType: 'text/plain',
        text: 'This is the content of the static text resource.',
      },
    ],
  }));
  server.registerResource('static-binary', 'test://static-binary', { mimeType: 'image/png' }, () => ({
    contents: [{ uri: 'test://static-binary', mimeType: 'image/png', blob: PNG }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { mimeType: 'application/json' }, (uri, { id }) => ({
    contents: [
      {
        uri: uri.href,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
      },
    ],
  }));
};

/** Lists may be cached, as the suite requires of a server of 2026-07-28. */
const CACHED = { ttlMs: 60_000, cacheScope: 'public' } as const;
const LISTS = [
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
];

const QUIET = { listChanged: false };

export const conformanceFixture: McpServerFactory = () => {
  const server = new McpServer(
    { name: 'conformance-fixture', version: '1.0.0' },
    {
      // Like our own server, it announces nothing.
      capabilities: { logging: {}, completions: {}, prompts: QUIET, tools: QUIET, resources: QUIET },
      requestState: { verify: states.verify },
      cacheHints: Object.fromEntries(LISTS.map((method) => [method, CACHED])),
    },
  );
  addContents(server);
  addNotifying(server);
  addAskingInAnswers(server);
  addAskingWithState(server);
  addPrompts(server);
  addResources(server);
  return server;
};

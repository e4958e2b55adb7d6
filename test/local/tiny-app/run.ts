/** Runs the tiny app until it is killed: `node run.ts <assembly folder> <data folder>`. Prints its address. */
import { startStack } from '#tools/local/stack.ts';

const [assemblyFolder = '', dataFolder = ''] = process.argv.slice(2);
const stack = await startStack({ assemblyFolder, dataFolder, port: 0, environment: {} });
process.stdout.write(`${JSON.stringify({ apiUrl: stack.apiUrl, dynamoPid: stack.dynamoPid })}\n`);

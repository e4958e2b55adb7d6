/** The bundler's plugins, which change the code of functions. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'esbuild';

/**
 * Compresses the API description inside the bundle. The compressed text takes an eighth of the space, and an endpoint
 * needs 3 ms to decompress it at a cold start.
 */
export const packedDescription: Plugin = {
  name: 'packed-description',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]docs[\\/]openapi\.json$/ }, ({ path }) => {
      const packed = gzipSync(JSON.stringify(JSON.parse(readFileSync(path, 'utf8'))), { level: 9 }).toString('base64');
      return {
        loader: 'js',
        contents: `import { gunzipSync } from 'node:zlib';
          export default JSON.parse(gunzipSync(Buffer.from('${packed}', 'base64')).toString());`,
      };
    }),
};

/**
 * The only export of zod's conversion to JSON Schema that stays in the bundle: error responses use this function to
 * read a schema's own bounds (request/schema-at.ts).
 */
const READ_BY_REFUSALS = 'aggregateChecks';

/**
 * Removes zod's conversion of schemas to JSON Schema, which takes 18 kB in each bundle and which no function needs. A
 * function that calls the conversion anyway fails with a clear message.
 */
export const withoutJsonSchemas: Plugin = {
  name: 'without-json-schemas',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /\.js\?whole$/ }, ({ path }) => ({ path: path.replace('?whole', ''), suffix: '?whole' }));
    onLoad(
      { filter: /[\\/]zod[\\/]v4[\\/]core[\\/](to-json-schema|json-schema-processors)\.js$/ },
      async ({ path, suffix }) => {
        if (suffix === '?whole') return undefined;
        const names = Object.keys((await import(pathToFileURL(path).href)) as object);
        const exported = names.map((name) => {
          if (name === READ_BY_REFUSALS) return `export { ${name} } from ${JSON.stringify(`${path}?whole`)};`;
          return /^create\w+Method$/.test(name)
            ? `export const ${name} = () => refuse;`
            : `export { refuse as ${name} };`;
        });
        return {
          loader: 'js',
          contents: `const refuse = () => {
          throw new Error('functions make no JSON Schema: shared/http/openapi/describe-sources.ts');
        };
        ${exported.join('\n')}`,
        };
      },
    );
  },
};

/**
 * Replaces imports of Node's http by `require`. An import loads everything that http exports, also its WebSocket client,
 * and takes 20 ms of a cold start of 90 ms. `require` loads an export only when code uses it.
 */
export const requiredHttp: Plugin = {
  name: 'required-http',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^(?:node:)?https?$/ }, ({ path, kind }) =>
      kind === 'import-statement'
        ? { path: `node_modules/${path.replace('node:', '')}`, namespace: 'required' }
        : { external: true },
    );
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      loader: 'js',
      contents: `module.exports = require('node:${path.replace('node_modules/', '')}');`,
    }));
  },
};

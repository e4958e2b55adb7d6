/** The interactive page. Its scripts and styles are served next to it, below `/docs`. */
export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Try it · Data connections API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="stylesheet" href="/docs/page.css">
  </head>
  <body>
    <header class="bar">
      <a href="/docs">Data connections</a>
      <a href="/api/openapi.json" download>openapi.json</a>
    </header>
    <main id="description"></main>
    <noscript>This page needs JavaScript. The same is in the <a href="/docs/reference">reference</a>, and the description itself at <a href="/api/openapi.json">api/openapi.json</a>.</noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/page.js"></script>
  </body>
</html>
`;

/* global SwaggerUIBundle */
// The page loads and sends nothing outside this origin: it has no validator badge and no remote fonts, and its requests
// go to the API that serves the page.
SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#description',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  filter: true,
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 4,
  defaultModelRendering: 'example',
  showExtensions: false,
  syntaxHighlight: { theme: 'agate' },
  tryItOutEnabled: false,
  validatorUrl: null,
  withCredentials: true,
});

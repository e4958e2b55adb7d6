/* global SwaggerUIBundle */
// Nothing leaves this origin: no validator badge, no remote fonts, requests go to the API that serves the page.
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

/* global SwaggerUIBundle */
SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  tryItOutEnabled: true,
  // No document leaves the house.
  validatorUrl: null,
})

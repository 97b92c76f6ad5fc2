/* global SwaggerUIBundle */
SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  tryItOutEnabled: true,
  // Without this, the page sends the document to a validator on the internet.
  validatorUrl: null,
})

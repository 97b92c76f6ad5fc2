export { sparqlEndpoints } from './endpoints.ts'
export { sparqlRoutes } from './routes.ts'
export { SparqlService } from './service.ts'
export { QUERY_TYPES } from './formats.ts'

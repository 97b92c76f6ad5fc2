export { sparqlEndpoints } from './endpoints.ts'
export { sparqlRoutes } from './routes.ts'
export { SparqlService } from './service.ts'

export { describeGuidanceApi } from './openapi.ts'
export { guidanceRoutes } from './routes.ts'
export { openGuidance, type GuidanceService } from './service.ts'

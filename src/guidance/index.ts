export { describeGuidanceApi } from './openapi.ts'
export type { Operator } from './operator.ts'
export { guidanceRoutes } from './routes.ts'
export { openGuidance, withOperator, type GuidanceService } from './service.ts'

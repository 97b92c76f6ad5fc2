export type { ImportStep } from './catalogue/imports/import-file.ts'
export type { Operator } from './service/operator.ts'
export { guidanceRoutes } from './service/routes.ts'
export { openGuidance, withOperator, type GuidanceService } from './service/service.ts'

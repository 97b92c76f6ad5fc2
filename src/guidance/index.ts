export { pageNamed } from './catalogue/linked-data/resources/page-of.ts'
export type { PartOptions } from './service/parts.ts'
export { guidanceRoutes } from './service/routes.ts'
export { openGuidance, type GuidanceService, type GuidanceSources } from './service/service.ts'

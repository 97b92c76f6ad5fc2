// The door for commands, which start without the endpoints.
export type { ImportStep } from './catalogue/imports/import-file.ts'
export type { OutdatedComponent } from './authoring/components/outdated.ts'
export type { CataloguePublishOptions, CataloguePublishOutcome } from './catalogue/open/publish/publish.ts'
export { withOperator, type Operator } from './service/operator.ts'

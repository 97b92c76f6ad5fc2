// The door for commands, which start without the endpoints.
export type { ImportStep } from './catalogue/imports/import-file.ts'
export { withOperator, type Operator } from './service/operator.ts'

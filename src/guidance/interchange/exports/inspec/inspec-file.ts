import type { Document } from '../../../../http/answer/answers.ts'
import { yieldPieces } from '../../../../platform/concurrency/pieces.ts'
import type { Mode } from '../../../../tables/export-formats.ts'
import { inspecControl } from '../../../authoring/rules/inspec.ts'
import type { ExportedComponent, ExportedRule } from '../component/component.ts'
import { identifiersOf, releaseOf } from '../component/identifiers.ts'
import { rulesOf } from '../component/rules-of-mode.ts'
import { SNAPSHOT } from '../component/snapshot.ts'
import { stemOf } from '../files/file-names.ts'
import { nameOf } from '../files/files.ts'
import { eachComponent, type ExportJob } from '../files/job.ts'
import { type Member, zipOf } from '../files/zip.ts'

/** Writes a zip with the InSpec profile of a component. Several components have a folder each. */
export function writeProfiles(job: ExportJob): Document {
  const [first, ...others] = job.components
  const name = others.length === 0 ? stemOf(first) : nameOf(job)
  return {
    mediaType: 'application/zip',
    fileName: `${name}-inspec.zip`,
    body: zipOf(membersOf(job), job.now),
  }
}

async function* membersOf(job: ExportJob): AsyncGenerator<Member, void> {
  const hasSeveral = job.components.length > 1
  for await (const exported of eachComponent(job)) {
    const { id, name } = exported.component
    const folder = hasSeveral ? `${slugOf(name)}-${id}/` : ''
    for (const { path, text } of inspecProfile(exported, exported.mode))
      yield { name: `${folder}${path}`, content: yieldPieces([text]) }
  }
}

/** The files of a component's InSpec profile. A rule without a determined status has a control without tests. */
export function* inspecProfile(
  exported: ExportedComponent & { readonly snapshot?: string },
  mode: Mode,
): Generator<{ readonly path: string; readonly text: string }, void> {
  const { snapshot } = exported
  const comment = snapshot === undefined ? '' : `# ${SNAPSHOT}: ${snapshot}\n`
  yield { path: 'inspec.yml', text: `${comment}${metadataOf(exported)}` }
  for (const rule of rulesOf(exported.rules, mode))
    yield { path: `controls/${identifiersOf(rule).name}.rb`, text: controlOf(rule) }
}

function controlOf(rule: ExportedRule): string {
  if (rule.status === 'Not Yet Determined')
    return inspecControl({ ...rule, rule_severity: 'info', inspec_control_body: null })
  return rule.inspec_control_file ?? inspecControl(rule)
}

function metadataOf(exported: ExportedComponent): string {
  const { component } = exported
  const { version, release } = releaseOf(exported)
  const author = component.admin_name ?? 'The Authors'
  const entries: readonly (readonly [string, string])[] = [
    ['name', slugOf(component.name)],
    ['title', component.title],
    ['maintainer', author],
    ['copyright', author],
    ...(component.admin_email === null ? [] : [['copyright_email', component.admin_email] as const]),
    ['license', 'Apache-2.0'],
    ['summary', component.description ?? component.title],
    ['version', `${version}.${release}.0`],
    ['inspec_version', '>= 6.0'],
  ]
  // A JSON string is always a valid YAML string.
  return entries.map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`).join('')
}

/** Keeps only characters that InSpec allows in the name of a profile and file systems in the name of a folder. */
function slugOf(name: string): string {
  const slug = name.toLowerCase().replaceAll(/[^\p{L}\p{Nd}]+/gu, '-')
  return slug.replaceAll(/^-+|-+$/g, '') || 'profile'
}

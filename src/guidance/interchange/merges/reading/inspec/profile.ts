import { compareCodeUnits } from '../../../../../graph/term.ts'
import { isStorable, nameForbidden } from '../../../../../platform/characters.ts'
import { groupDigits, MAX_RULES } from '../../../../catalogue/files/limits.ts'
import { shortenWords } from '../../../../catalogue/files/xml.ts'
import { nameSome } from '../../../../parts/name-some.ts'
import { SNAPSHOT } from '../../../exports/component/snapshot.ts'
import type { ReadDocument, FileRule } from '../merge-file.ts'
import { notMergeable } from '../refusals.ts'
import { controlsOf, type ControlFile, type InspecControl } from './controls.ts'
import { isDescription, readProfileFiles, type ProfileFile, type ProfileKind } from './profile-files.ts'
import { LineCounter, RubyFault } from './ruby/fault.ts'

/**
 * Reads the controls of an InSpec profile. Must run on a separate thread, because reading blocks. Refuses files that
 * are not readable as Ruby, and names the line.
 */
export async function readProfile(file: string, kind: ProfileKind): Promise<ReadDocument> {
  const files = await readProfileFiles(file, kind)
  const descriptions = files.filter(({ path }) => isDescription(path)).map(({ text }) => text)
  const code = codeOf(files).toSorted((a, b) => compareCodeUnits(a.path, b.path))
  if (code.length === 0) throw notMergeable('The profile has no Ruby files (controls/*.rb).')
  const rules: FileRule[] = []
  const warnings = [...resourceWarnings(files, descriptions)]
  const blank: string[] = []
  for (const file of code) {
    const { controls, unnamed } = readControls(file)
    for (const line of unnamed) warnings.push(`${placeOf(file, line)}: the name of the control is not a plain text.`)
    for (const control of controls) {
      rules.push(ruleOf(control, file))
      if (control.body === null) blank.push(control.name)
    }
    if (rules.length > MAX_RULES) throw notMergeable(`The profile has more than ${groupDigits(MAX_RULES)} controls.`)
  }
  if (blank.length > 0) warnings.push(blankWarning(blank))
  return { format: 'inspec', rules, snapshots: descriptions.flatMap(snapshotsIn), warnings }
}

/** The files in folders `controls`, or all Ruby files if there is no such folder. */
function codeOf(files: readonly ProfileFile[]): readonly ProfileFile[] {
  const code = files.filter(({ path }) => !isDescription(path))
  const controls = code.filter(({ path }) => /(?:^|\/)controls\//.test(path))
  return controls.length > 0 ? controls : code
}

function readControls(file: ProfileFile): ControlFile {
  try {
    return controlsOf(file.text)
  } catch (error) {
    if (!(error instanceof RubyFault)) throw error
    throw notMergeable(`${placeOf(file, new LineCounter(file.text).lineAt(error.position))}: ${error.message}.`)
  }
}

/** `controls/SV-257777.rb, line 3` */
function placeOf({ path }: ProfileFile, line: number): string {
  return path === '' ? `Line ${line}` : `${shortenWords(path)}, line ${line}`
}

function ruleOf(control: InspecControl, file: ProfileFile): FileRule {
  const { name, tags, title, body } = control
  const place = placeOf(file, control.line)
  const firstValueOf = (tag: string): string => tags.get(tag)?.[0]?.trim() ?? ''
  requireStorable(control, place)
  const numbers = [
    name,
    firstValueOf('gid'),
    firstValueOf('rid'),
    firstValueOf('group_id'),
    ...(tags.get('legacy') ?? []),
  ]
  return {
    place,
    stigId: firstValueOf('stig_id') || (isNumber(name) ? '' : name.trim()),
    srgId: /^SRG-[\w-]+$/.exec(firstValueOf('gtitle'))?.[0] ?? '',
    numbers: numbers.filter(isNumber),
    title,
    // A control without code changes nothing, because exports write one for a rule without tests.
    values: body === null ? {} : { inspec_control_body: body },
  }
}

function requireStorable({ name, title, body, tags }: InspecControl, place: string): void {
  for (const text of [name, title ?? '', body ?? '', ...[...tags.values()].flat()])
    if (!isStorable(text)) throw notMergeable(`${place}: ${nameForbidden(text)} of a text cannot be stored.`)
}

/**
 * Whether a text is a number such as `V-257777`, `SV-257777`, `SV-257777r925318_rule`, or one that exports make from a
 * STIG id.
 */
function isNumber(text: string): boolean {
  return /^S?V-/i.test(text)
}

function blankWarning(names: readonly string[]): string {
  return `${names.length} controls have no code and change nothing: ${nameSome(names.map(shortenWords), 5)}`
}

/** Warns of parts of a profile that its code may need and components do not have. */
function* resourceWarnings(files: readonly ProfileFile[], descriptions: readonly string[]): Generator<string, void> {
  const libraries = files.filter(({ path }) => /(?:^|\/)libraries\//.test(path))
  if (libraries.length > 0)
    yield `The profile has ${libraries.length} files in "libraries". They are not imported; controls may need them.`
  if (descriptions.some((text) => /^(?:inputs|attributes):/m.test(text)))
    yield 'The inputs in inspec.yml are not imported; controls may need them.'
}

/** Finds the digests, which exports write in a comment. */
function snapshotsIn(text: string): readonly string[] {
  const match = new RegExp(`^# ${SNAPSHOT}: ([0-9a-f]{64})$`, 'm').exec(text)
  return match?.[1] === undefined ? [] : [match[1]]
}

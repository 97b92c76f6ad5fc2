import { openObject } from '../../../../platform/json.ts'
import { nameBasedUuid } from '../../../../platform/stable-uuid.ts'
import type { Mode } from '../../../../tables/export-formats.ts'
import { joinChecks } from '../../../authoring/rules/join-checks.ts'
import { nistControls } from '../../../catalogue/benchmarks/nist-controls.ts'
import {
  DISA_NAMESPACE,
  nistCatalogue,
  OSCAL_VERSION,
  oscalIdOf,
} from '../../../catalogue/reference-data/controls/oscal-names.ts'
import type { ExportedComponent, ExportedRule } from '../component/component.ts'
import { benchmarkIdOf, identifiersOf, listOf, releaseOf } from '../component/identifiers.ts'
import { rulesOf } from '../component/rules-of-mode.ts'

export interface OscalOptions {
  readonly mode: Mode
  /** The date of the release. */
  readonly date: Date
}

/** A rule with a NIST SP 800-53 control of one of its CCIs. */
interface Implementation {
  readonly rule: ExportedRule
  readonly control: string
  readonly ccis: readonly string[]
}

/**
 * Writes a component as an OSCAL 1.2 component definition (NIST). Each rule is an implemented requirement of every
 * control of its CCIs, and its check is a resource. The remarks count the rules without a known control.
 */
export function* componentDefinitionPieces(
  exported: ExportedComponent,
  { mode, date }: OscalOptions,
): Generator<string, void> {
  const { component } = exported
  const rules = rulesOf(exported.rules, mode)
  const implementations = rules.flatMap(implementationsOf)
  const implementing = [...new Set(implementations.map(({ rule }) => rule))]
  const { version, release } = releaseOf(exported)
  const uuid: MakeUuid = (...names) =>
    nameBasedUuid(JSON.stringify([benchmarkIdOf(exported), version, release, ...names]))
  const control = {
    uuid: uuid('control-implementation'),
    source: nistCatalogue(5),
    description: `Controls of NIST SP 800-53 Revision 5 that the rules of ${component.title} implement.`,
  }
  const part = {
    uuid: uuid('component'),
    type: 'software',
    title: component.name,
    description: component.description ?? component.title,
  }
  const metadata = {
    title: component.title,
    'last-modified': date.toISOString(),
    version: `V${version}R${release}`,
    'oscal-version': OSCAL_VERSION,
    ...remarksOf(rules.length - implementing.length),
  }
  yield `{"component-definition":${openObject({ uuid: uuid('definition', mode, metadata['last-modified']), metadata })}`
  yield `,"components":[${openObject(part)}`
  if (implementations.length > 0) {
    yield `,"control-implementations":[${openObject(control)},"implemented-requirements":[`
    yield* joinJson(implementations, (implementation) => requirementOf(implementation, uuid))
    yield ']}]'
  }
  yield '}]'
  if (implementing.length > 0) {
    yield ',"back-matter":{"resources":['
    yield* joinJson(implementing, (rule) => checkResource(rule, uuid))
    yield ']}'
  }
  yield '}}\n'
}

/** Makes a UUID from the names of a record in the component, so that every instance makes the same one. */
type MakeUuid = (...names: readonly string[]) => string

function implementationsOf(rule: ExportedRule): readonly Implementation[] {
  const controls = new Map<string, string[]>()
  for (const cci of listOf(rule.ident)) {
    const control = oscalIdOf(nistControls().get(cci) ?? '')
    if (control !== null) controls.set(control, [...(controls.get(control) ?? []), cci])
  }
  return Array.from(controls, ([control, ccis]) => ({ rule, control, ccis }))
}

function requirementOf({ rule, control, ccis }: Implementation, uuid: MakeUuid): object {
  const { name, rule: ruleId, version } = identifiersOf(rule)
  const prop = (name: string, value: string): object => ({ name, ns: DISA_NAMESPACE, value })
  return {
    uuid: uuid('requirement', name, control),
    'control-id': control,
    description: rule.title,
    props: [
      prop('rule-id', ruleId),
      prop('stig-id', version),
      prop('severity', rule.rule_severity),
      ...ccis.map((cci) => prop('cci', cci)),
    ],
    links: [{ href: `#${uuid('check', name)}`, rel: 'check', text: `Check of ${version}` }],
    ...(rule.fixtext !== null && rule.fixtext.trim() !== '' && { remarks: rule.fixtext }),
  }
}

function checkResource(rule: ExportedRule, uuid: MakeUuid): object {
  const { name, version } = identifiersOf(rule)
  const check = joinChecks(rule)
  return {
    uuid: uuid('check', name),
    title: `Check of ${version}`,
    ...(check.trim() !== '' && { description: check }),
  }
}

function remarksOf(count: number): { readonly remarks?: string } {
  if (count === 0) return {}
  const ruleCount = count === 1 ? '1 rule has' : `${count} rules have`
  return {
    remarks: `${ruleCount} no CCI that belongs to a control of NIST SP 800-53, and cannot be in a component definition.`,
  }
}

/** Writes items as members of a JSON array, separated by commas. */
function* joinJson<T>(items: readonly T[], toObject: (item: T) => object): Generator<string, void> {
  for (const [index, item] of items.entries()) yield (index === 0 ? '' : ',') + JSON.stringify(toObject(item))
}

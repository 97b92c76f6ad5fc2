import { rowOf } from './guidance-records.ts'
import type { GuidanceUnderTest } from './guidance.ts'
import { zipOf } from './zip.ts'

interface Files {
  readonly manifest?: unknown
  readonly project?: unknown
  readonly rules?: unknown
  readonly satisfactions?: unknown
  readonly reviews?: unknown
}

export const SAMPLE_RULE = {
  rule_id: '000001',
  title: 'Shut the lid.',
  status: 'Applicable - Configurable',
  rule_severity: 'high',
  srg_rule_version: 'SRG-TEA-000001',
}

export interface NamedSrg {
  readonly srg_id: string
  readonly title: string
  readonly version: string
}

/** A stored SRG as an archive names the one that its component is based on. */
export async function namedSrg(guidance: GuidanceUnderTest, id: number): Promise<NamedSrg> {
  const { benchmark_id: srg_id, title, version } = await rowOf(guidance, 'benchmarks', { id })
  return { srg_id, title, version }
}

/** An archive of one component, written by hand; null leaves a file out. */
export function archiveOf(component: Readonly<Record<string, unknown>>, files: Files = {}): Promise<Buffer> {
  const whole = { name: 'Pots', prefix: 'TEAP-00', title: 'Pots Guide', ...component }
  const manifest = { backup_format_version: '1.1', components: [{ name: whole.name }] }
  const entries = { manifest, component: whole, rules: [SAMPLE_RULE], ...files }
  return zipOf(
    Object.fromEntries(
      Object.entries(entries).flatMap(([name, value]) => (value === null ? [] : [[`${name}.json`, asText(value)]])),
    ),
  )
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

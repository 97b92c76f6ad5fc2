import { z } from 'zod'
import type { ApiAnswer, AskApi } from '../ask.ts'
import { lookUp } from './records.ts'
import { text, tool, type Tool, type ToolAnswer } from './tool.ts'

const lookup = z.object({
  items: z
    .array(
      z.object({
        record: z
          .object({ id: z.string(), benchmark: z.object({ benchmark_id: z.string(), version: z.string() }).nullable() })
          .nullable(),
      }),
    )
    .min(1),
})

export const rule: Tool = tool({
  name: 'rule',
  title: 'The exact text of a rule or requirement',
  description:
    'The complete text of a STIG rule or SRG requirement, word for word, with its benchmark and version: title, ' +
    'discussion, check, fix, severity, CCIs. By rule id (SV-257981r1101970_rule), group id (V-257981), version ' +
    '(RHEL-09-255025) or SRG id. Without benchmark and version, the newest release that has the rule answers. ' +
    '"authored" is the number of a rule that is being written here, which needs a personal access token.',
  input: z.object({
    id: z.string().max(200).optional(),
    benchmark: text.optional().meta({ description: 'RHEL_9_STIG; with version' }),
    version: text.optional().meta({ description: 'V2R7; with benchmark' }),
    authored: z.int().min(1).optional(),
  }),
  answer: async (ask, { id, benchmark, version, authored }) => {
    if (authored !== undefined) return { main: await ask({ path: `/rules/${authored}` }) }
    if (id === undefined) return { main: refusedAnswer('Give "id", or "authored" for a rule that is being written.') }
    if (benchmark !== undefined && version !== undefined)
      return { main: await askRule(ask, { id, benchmark, version }) }
    if (benchmark !== undefined || version !== undefined)
      return { main: refusedAnswer('Give "benchmark" and "version" together, or neither.') }
    return newestRule(ask, id)
  },
})

function refusedAnswer(detail: string): ApiAnswer {
  return { status: 400, address: '', value: { code: 'parameter_missing', status: 400, detail } }
}

function askRule(
  ask: AskApi,
  { id, benchmark, version }: { readonly id: string; readonly benchmark: string; readonly version: string },
): Promise<ApiAnswer> {
  const [line, release, name] = [benchmark, version, id].map(encodeURIComponent)
  return ask({ path: `/api/catalogue/benchmarks/${line}/${release}/rules/${name}.json` })
}

/** Finds the newest benchmark with the rule. For any other name, returns the answer of the look-up. */
async function newestRule(ask: AskApi, id: string): Promise<ToolAnswer> {
  const answer = await ask(lookUp([id]))
  const [item] = lookup.safeParse(answer.value).data?.items ?? []
  const record = item?.record
  if (record?.benchmark === undefined || record.benchmark === null) return { main: answer }
  const { benchmark_id: benchmark, version } = record.benchmark
  return { main: await askRule(ask, { id: record.id, benchmark, version }) }
}

export const changes: Tool = tool({
  name: 'changes',
  title: 'Changes between two releases',
  description:
    'What differs between two releases of the ontology (give from and to, such as 0.17.0 and 1.0.0) or of a benchmark ' +
    '(give benchmark, from and to, such as RHEL_9_STIG, V2R6 and V2R7): added, removed and changed records with the ' +
    'fields. Without from and to, the releases that there are.',
  input: z.object({ benchmark: text.optional(), from: text.optional(), to: text.optional() }),
  answer: async (ask, { benchmark, from, to }) => ({ main: await ask({ path: changesPath(benchmark, from, to) }) }),
})

function changesPath(benchmark: string | undefined, from: string | undefined, to: string | undefined): string {
  const base = benchmark === undefined ? '/api/releases' : `/api/catalogue/benchmarks/${encodeURIComponent(benchmark)}`
  if (from === undefined || to === undefined) return `${base}.json`
  return `${base}/${encodeURIComponent(from)}/changes/${encodeURIComponent(to)}.json`
}

export const advice: Tool = tool({
  name: 'advice',
  title: 'Advice on the words of a draft',
  description:
    "Checks the texts of a rule that is being written against DISA's guide for authors: each finding has its passage, the " +
    'reason and, where possible, a replacement. Nothing is stored.',
  input: z.object({
    document_type: z.enum(['stig', 'srg']).default('stig'),
    status: text.optional(),
    severity: z.enum(['high', 'medium', 'low']).optional(),
    title: z.string().max(32_000).optional(),
    vuln_discussion: z.string().max(32_000).optional(),
    check_content: z.string().max(32_000).optional(),
    fixtext: z.string().max(32_000).optional(),
  }),
  answer: async (ask, draft) => ({ main: await ask({ path: '/api/advice', body: draft }) }),
})

import { z } from 'zod'
import type { Statement } from '../../../../graph/term.ts'
import { everyone } from '../../../../http/access.ts'
import { DOCUMENT, type Document } from '../../../../http/answer/answers.ts'
import { endpoint, type Endpoint } from '../../../../http/endpoint.ts'
import { isStorable } from '../../../../http/input.ts'
import type { RawRequest } from '../../../../http/request.ts'
import type { Reader } from '../../../database/transaction.ts'
import { shortId } from '../../xccdf/id.ts'
import type { Catalogue, CatalogueGraph } from '../graph/catalogue-graph.ts'
import { GRAPH_REFUSALS } from '../graph/graph-thread.ts'
import type { Iris } from '../graph/iris.ts'
import { findCciStatements, findControlStatements, findItemStatements } from './reference-statements.ts'
import { acceptedForm, FORM_TYPES, represent } from './representation.ts'
import { findCci, findSurroundings, sortStatements } from './resources.ts'
import { findTexts } from './rule-texts.ts'

/** Browsers are redirected to the page. */
const TYPES_WITH_PAGE = [...FORM_TYPES, 'text/html']

const COMMON_PARTS = {
  method: 'get',
  tag: 'Linked data',
  access: everyone,
  open: true,
  answer: DOCUMENT,
  mediaTypes: FORM_TYPES,
  revalidates: true,
  refusals: GRAPH_REFUSALS,
} as const

/** The resources of the graph, in the RDF format of the Accept header; JSON-LD by default. */
export function resourceEndpoints(graph: CatalogueGraph, reader: Reader): readonly Endpoint[] {
  return [
    line(graph),
    benchmark(graph),
    rule(graph, reader),
    cci(graph, reader),
    control(graph, reader),
    attack(graph, reader),
    weakness(graph, reader),
    requirement(graph),
  ]
}

/** Shortens ids in the form of XCCDF 1.2, so that both forms find the same record. */
function shortIdSchema(kind: 'benchmark' | 'rule'): z.ZodType<string> {
  return z.string().transform((id) => shortId(kind, id))
}

function line(graph: CatalogueGraph): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: '/benchmarks/{benchmark}',
    operation: 'describeBenchmarkLine',
    summary: 'A line of benchmark releases in RDF',
    input: z.object({ params: z.object({ benchmark: shortIdSchema('benchmark') }) }),
    handle: ({ input: { params }, ...request }) =>
      answer(graph, request, (catalogue) => findSurroundings(catalogue, graph.iris.line(params.benchmark))),
  })
}

function benchmark(graph: CatalogueGraph): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: '/benchmarks/{benchmark}/{version}',
    mediaTypes: TYPES_WITH_PAGE,
    operation: 'describeBenchmark',
    summary: 'A benchmark release in RDF, with the names of its rules',
    input: z.object({
      params: z.object({ benchmark: shortIdSchema('benchmark'), version: z.string() }),
    }),
    handle: ({ input: { params }, ...request }) =>
      answer(graph, request, (catalogue) => {
        const release = { benchmarkId: params.benchmark, version: params.version }
        return findSurroundings(catalogue, graph.iris.benchmark(release))
      }),
  })
}

function rule(graph: CatalogueGraph, reader: Reader): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: '/benchmarks/{benchmark}/{version}/rules/{rule}',
    mediaTypes: TYPES_WITH_PAGE,
    operation: 'describeRule',
    summary: 'A rule of a benchmark release in RDF',
    input: z.object({
      params: z.object({
        benchmark: shortIdSchema('benchmark'),
        version: z.string(),
        rule: shortIdSchema('rule'),
      }),
    }),
    handle: ({ input: { params }, ...request }) =>
      answer(graph, request, async (catalogue) => {
        const { benchmark: benchmarkId, version, rule: ruleId } = params
        const texts = await findTexts(reader, catalogue, { benchmarkId, version, ruleId })
        return findSurroundings(catalogue, graph.iris.rule({ benchmarkId, version }, ruleId), texts)
      }),
  })
}

function cci(graph: CatalogueGraph, reader: Reader): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: '/ccis/{cci}',
    mediaTypes: TYPES_WITH_PAGE,
    operation: 'describeCci',
    summary: 'A control correlation identifier in RDF, with its definition and the controls that it matches',
    input: z.object({ params: z.object({ cci: z.string() }) }),
    handle: ({ input: { params }, ...request }) =>
      answer(graph, request, async (catalogue) =>
        findCci(catalogue.graph, graph.iris.cci(params.cci), await findCciStatements(reader, graph.iris, params.cci)),
      ),
  })
}

function control({ iris }: CatalogueGraph, reader: Reader): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: '/controls/{control}',
    mediaTypes: TYPES_WITH_PAGE,
    operation: 'describeControl',
    summary: 'A control of NIST SP 800-53 in RDF, with its text and the CCIs that refer to it',
    input: z.object({ params: z.object({ control: z.string().refine(isStorable) }) }),
    handle: async ({ input: { params }, ...request }) =>
      answerItem(request, iris, await findControlStatements(reader, iris, params.control)),
  })
}

function attack({ iris }: CatalogueGraph, reader: Reader): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: '/attack/{attack}',
    operation: 'describeAttack',
    summary: 'A technique, tactic or mitigation of ATT&CK in RDF',
    input: z.object({ params: z.object({ attack: z.string().refine(isStorable) }) }),
    handle: async ({ input: { params }, ...request }) => {
      const id = params.attack.includes('--') ? params.attack : params.attack.toUpperCase()
      return answerItem(request, iris, await findItemStatements(reader, iris, { kind: 'attack', id }))
    },
  })
}

function weakness({ iris }: CatalogueGraph, reader: Reader): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: '/cwe/{weakness}',
    operation: 'describeWeakness',
    summary: 'An entry of CWE in RDF',
    input: z.object({ params: z.object({ weakness: z.string().refine(isStorable) }) }),
    handle: async ({ input: { params }, ...request }) => {
      const id = params.weakness.toUpperCase()
      return answerItem(request, iris, await findItemStatements(reader, iris, { kind: 'cwe', id }))
    },
  })
}

function requirement(graph: CatalogueGraph): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: '/requirements/{requirement}',
    mediaTypes: TYPES_WITH_PAGE,
    operation: 'describeRequirement',
    summary: 'A requirement in RDF, with the rules of SRGs that state it',
    input: z.object({ params: z.object({ requirement: z.string() }) }),
    handle: ({ input: { params }, ...request }) =>
      answer(graph, request, (catalogue) => findSurroundings(catalogue, graph.iris.requirement(params.requirement))),
  })
}

function answerItem(
  request: Pick<RawRequest, 'header' | 'setHeader'>,
  iris: Iris,
  statements: readonly Statement[],
): Document {
  const form = acceptedForm(request, 'jsonLd')
  return { ...represent(sortStatements(statements), { form, iris }), fileName: null }
}

async function answer(
  graph: CatalogueGraph,
  request: Pick<RawRequest, 'header' | 'setHeader'>,
  find: (catalogue: Catalogue) => Promise<readonly Statement[]>,
): Promise<Document> {
  const form = acceptedForm(request, 'jsonLd')
  const statements = await graph.read(find)
  return { ...represent(statements, { form, iris: graph.iris }), fileName: null }
}

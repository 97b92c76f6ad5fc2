import { z } from 'zod'
import type { NameLookups } from '../../contracts/lookup.ts'
import type { ControlAssertions, CounterPath, Defense, OntologyContent } from '../../contracts/sources.ts'
import { engineSettings } from '../../graph/engine/engine.ts'
import { RDF_FORMS } from '../../graph/syntax/forms.ts'
import { CODINGS } from '../../http/answer/negotiation.ts'
import { objectWith, listOf, EMPTY_PAYLOAD, type ExchangesOf, type Protocol } from '../../platform/threads/protocol.ts'
import { manifestSchema } from '../release/manifest.ts'
import type { HashedPaths } from './hash-paths.ts'
import type { ReleasePath } from './paths.ts'
import type { AnswerDigest, RenderedAnswer } from './render.ts'

/** The start data of a render thread. */
export const renderStart = z.object({
  dataDir: z.string(),
  manifest: manifestSchema,
  /** The engine that holds the release; without one, it is read from the folder. */
  engine: engineSettings.nullish(),
})

export type RenderStart = z.output<typeof renderStart>

const limit = z.int()
const names = z.array(z.string()).readonly()

const rendering = {
  /** A decoded path, and for a record the form of RDF, if one is asked for; refuses where there is no such record. */
  render: {
    question: z.object({
      path: z.string(),
      coding: z.enum(CODINGS),
      form: z.enum(RDF_FORMS).nullable(),
    }),
    answer: objectWith<RenderedAnswer>('mediaType', 'coding', 'body', 'length', 'sha256'),
  },
  /** Renders into files, and `.gz` and `.br` beside each on request. */
  write: {
    question: z.object({
      files: z.array(z.object({ path: z.string(), file: z.string() })).readonly(),
      compress: z.boolean(),
    }),
    answer: listOf<AnswerDigest>('length', 'sha256'),
  },
  /** The paths of the release, or a selection of them. */
  paths: {
    question: z.object({ describe: z.boolean(), onlyJson: z.boolean().optional() }),
    answer: listOf<ReleasePath>('folder', 'name'),
  },
  /** Sizes and digests of the answers of paths, as many as fit into a time. */
  hashes: {
    question: z.object({ from: z.int(), forMs: z.number() }),
    answer: objectWith<HashedPaths>('hashes', 'next'),
  },
  /** Memory of the thread: its heap, and bytes outside of it (WebAssembly, buffers). */
  memory: {
    question: EMPTY_PAYLOAD,
    answer: objectWith<{ readonly heap: number; readonly external: number }>('heap', 'external'),
  },
  /** The licences that the release states, as IRIs. */
  licences: { question: EMPTY_PAYLOAD, answer: names },
  /** The statements of the release about controls. */
  controls: { question: EMPTY_PAYLOAD, answer: objectWith<ControlAssertions>('techniques', 'assertions') },
  /** The release as documents. */
  content: { question: EMPTY_PAYLOAD, answer: objectWith<OntologyContent>('documents', 'links') },
  /** Resolves names to records. */
  lookUp: { question: names, answer: objectWith<NameLookups>('version', 'found') },
  /** Known names that are similar to unknown ones. */
  nearest: { question: names, answer: z.array(names) },
  /** The offensive techniques that some techniques counter. */
  counters: {
    question: z.object({ techniques: z.array(z.string()).readonly(), limit }),
    answer: listOf<CounterPath>('technique', 'other'),
  },
  /** The techniques that defend some subjects. */
  defenses: {
    question: z.object({ subjects: z.array(z.string()).readonly(), limit }),
    answer: listOf<Defense>('subject', 'technique'),
  },
}

export type RenderExchanges = ExchangesOf<typeof rendering>

export const RENDERING: Protocol<RenderExchanges> = rendering

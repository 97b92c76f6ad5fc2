import type {
  ControlAssertions,
  Counter,
  Defense,
  OntologyContent,
} from '../../contracts/sources.ts'
import type { Coding } from '../../http/negotiation.ts'
import type { RefusalCode } from '../../platform/errors.ts'
import type { Manifest } from '../release/manifest.ts'
import type { ReleasePath } from './paths.ts'
import type { Measure, Rendered } from './render.ts'

/** What a rendering thread is started with. */
export interface WorkerStart {
  readonly dataDir: string
  readonly manifest: Manifest
}

export type RenderRequest =
  | { readonly kind: 'render'; readonly id: number; readonly path: string; readonly coding: Coding }
  | { readonly kind: 'paths'; readonly id: number; readonly describe: boolean }
  | { readonly kind: 'controls' | 'content'; readonly id: number }
  | {
      readonly kind: 'counters'
      readonly id: number
      readonly techniques: readonly string[]
      readonly limit: number
    }
  | {
      readonly kind: 'defenses'
      readonly id: number
      readonly subjects: readonly string[]
      readonly limit: number
    }
  | {
      readonly kind: 'write'
      readonly id: number
      readonly path: string
      readonly file: string
      readonly compress: boolean
    }

export type RenderReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'rendered'; readonly id: number; readonly rendered: Rendered }
  | { readonly kind: 'paths'; readonly id: number; readonly paths: readonly ReleasePath[] }
  | { readonly kind: 'controls'; readonly id: number; readonly controls: ControlAssertions }
  | { readonly kind: 'content'; readonly id: number; readonly content: OntologyContent }
  | { readonly kind: 'counters'; readonly id: number; readonly counters: readonly Counter[] }
  | { readonly kind: 'defenses'; readonly id: number; readonly defenses: readonly Defense[] }
  | { readonly kind: 'written'; readonly id: number; readonly measure: Measure }
  | { readonly kind: 'failed'; readonly id: number; readonly stack: string }
  | {
      readonly kind: 'refused'
      readonly id: number
      readonly code: RefusalCode
      readonly detail: string
      readonly members: Readonly<Record<string, unknown>>
    }

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Router } from 'express'
import { readOnly } from '../../http/server/read-only.ts'

const YEAR = 365 * 86_400

/** A picture that other sites show beside a link; 1200 × 630 pixels (scripts/cards.ts draws them). */
export interface Card {
  readonly path: string
  readonly body: Buffer
}

/** Names of the files, by the kinds of records. */
const FILES = {
  technique: 'technique',
  tactic: 'tactic',
  artifact: 'artifact',
  'offensive-technique': 'attack',
  weakness: 'weakness',
  resource: 'ontology',
  benchmark: 'benchmark',
  rule: 'rule',
  cci: 'cci',
  control: 'control',
} as const

export type RecordKind = keyof typeof FILES

export type Cards = ReadonlyMap<RecordKind, Card>

/** The cards; the address of each changes with its content. */
export function readCards(): Cards {
  return new Map(
    Object.keys(FILES)
      .filter(isKind)
      .map((kind) => [kind, readCard(FILES[kind])]),
  )
}

export function addCards(router: Router, cards: Cards): void {
  for (const { path, body } of cards.values())
    readOnly(router, path, (_request, response) => {
      // Other sites embed these pictures.
      response.set('Cross-Origin-Resource-Policy', 'cross-origin')
      response.set('Cache-Control', `public, max-age=${YEAR}, immutable`).type('png').send(body)
    })
}

function readCard(name: string): Card {
  const body = readFileSync(fileURLToPath(new URL(`../cards/${name}.png`, import.meta.url)))
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 8)
  return { path: `/assets/cards/${name}-${hash}.png`, body }
}

function isKind(name: string): name is RecordKind {
  return name in FILES
}

import type { MetAttack } from '../attacks.ts'
import { groupBy } from '../distinct.ts'
import type { NamedRecord } from '../json-ld.ts'

/** Largest numbers that stay readable in the picture; the table has all. */
export const MAX_NODES = { artifacts: 12, attacks: 24 } as const

/** In units of the picture. */
export const NODE = { height: 30, widths: { artifact: 250, attack: 320 } } as const
const ROW = 38
const COLUMN_GAP = 90
/** The box at the left, in which a name may take three lines. */
export const TECHNIQUE = { width: 190, height: 76 } as const

export interface PictureNode {
  readonly kind: 'artifact' | 'attack'
  /** `d3f:UserAccount`, `T1078` */
  readonly name: string
  readonly label: string
  readonly x: number
  /** Vertical middle. */
  readonly y: number
}

export interface Line {
  /** Names of what it joins. */
  readonly from: string
  readonly to: string
  readonly path: string
}

export interface Picture {
  readonly width: number
  readonly height: number
  readonly artifacts: readonly PictureNode[]
  readonly attacks: readonly PictureNode[]
  readonly lines: readonly Line[]
  readonly all: { readonly artifacts: number; readonly attacks: number }
}

/** The technique, the artifacts by which it meets attacks, and the attacks, in three columns. */
export function drawPicture(attacks: readonly MetAttack[]): Picture {
  const touched = groupBy(
    attacks.flatMap((attack) => attack.artifacts.map((artifact) => ({ artifact, attack }))),
    ({ artifact }) => artifact.name,
  )
  const byCount = [...touched.values()].sort((a, b) => b.length - a.length)
  const chosen = byCount.slice(0, MAX_NODES.artifacts)
  const shownAttacks = orderNodes(inTurns(chosen.map((pairs) => pairs.map(({ attack }) => attack))), chosen)
  const height = Math.max(ROW * Math.max(chosen.length, shownAttacks.length), TECHNIQUE.height)
  const yOf = (index: number, count: number): number => ((index + 0.5) * height) / count
  const left = TECHNIQUE.width + COLUMN_GAP
  const right = left + NODE.widths.artifact + COLUMN_GAP
  const artifacts = chosen.flatMap((pairs, index) =>
    pairs.slice(0, 1).map(({ artifact }) => drawArtifact(artifact, yOf(index, chosen.length), left)),
  )
  const attackNodes = shownAttacks.map((attack, index) => drawAttack(attack, yOf(index, shownAttacks.length), right))
  return {
    width: right + NODE.widths.attack,
    height,
    artifacts,
    attacks: attackNodes,
    lines: joinNodes({ artifacts, attacks: attackNodes, height }, shownAttacks),
    all: { artifacts: touched.size, attacks: attacks.length },
  }
}

/** One of each artifact after the other, so that none that is drawn leads nowhere. */
function inTurns(columns: readonly (readonly MetAttack[])[]): ReadonlySet<MetAttack> {
  const chosenAttacks = new Set<MetAttack>()
  const longest = Math.max(0, ...columns.map(({ length }) => length))
  for (let turn = 0; turn < longest; turn += 1)
    for (const column of columns) {
      const attack = column[turn]
      if (attack !== undefined && chosenAttacks.size < MAX_NODES.attacks) chosenAttacks.add(attack)
    }
  return chosenAttacks
}

/** Each beside the middle of its artifacts, so that few lines cross. */
function orderNodes(
  attacks: ReadonlySet<MetAttack>,
  chosen: readonly (readonly { readonly artifact: NamedRecord }[])[],
): readonly MetAttack[] {
  const rank = new Map(chosen.map(([first], index) => [first?.artifact.name, index]))
  const middle = ({ artifacts }: MetAttack): number => {
    const ranks = artifacts.flatMap(({ name }) => rank.get(name) ?? [])
    return ranks.reduce((sum, value) => sum + value, 0) / ranks.length
  }
  return [...attacks].sort((a, b) => middle(a) - middle(b) || (a.id < b.id ? -1 : 1))
}

function drawArtifact({ name, label }: NamedRecord, y: number, x: number): PictureNode {
  return { kind: 'artifact', name, label, x, y }
}

function drawAttack({ id, label: title }: MetAttack, y: number, x: number): PictureNode {
  return { kind: 'attack', name: id, label: `${id} ${title}`, x, y }
}

function joinNodes(
  { artifacts, attacks, height }: Pick<Picture, 'artifacts' | 'attacks' | 'height'>,
  shownAttacks: readonly MetAttack[],
): readonly Line[] {
  const byName = new Map(artifacts.map((node) => [node.name, node]))
  const start = { x: TECHNIQUE.width, y: height / 2 }
  const first = artifacts.map(({ name, x, y }) => ({
    from: '',
    to: name,
    path: curve(start, { x, y }),
  }))
  const second = attacks.flatMap((node, index) =>
    (shownAttacks[index]?.artifacts ?? []).flatMap(({ name }) => {
      const artifact = byName.get(name)
      if (artifact === undefined) return []
      const from = { x: artifact.x + NODE.widths.artifact, y: artifact.y }
      return [{ from: name, to: node.name, path: curve(from, node) }]
    }),
  )
  return [...first, ...second]
}

interface Point {
  readonly x: number
  readonly y: number
}

function curve(from: Point, to: Point): string {
  const middle = (from.x + to.x) / 2
  return `M${from.x} ${round(from.y)}C${middle} ${round(from.y)} ${middle} ${round(to.y)} ${to.x} ${round(to.y)}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

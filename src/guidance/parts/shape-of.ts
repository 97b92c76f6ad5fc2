import type { z } from 'zod'

interface KindedField {
  readonly name: string
  readonly kind: string
}

type Schemas<R extends KindedField> = Readonly<Record<R['kind'], (row: R) => z.ZodType>>

type Shape<R extends KindedField, S extends Schemas<R>> = {
  [One in R as One['name']]: ReturnType<S[One['kind']]>
}

/** The shape of a zod object with these fields: a schema for each by its kind, in order. */
export function shapeOf<R extends KindedField, S extends Schemas<R>>(rows: readonly R[], schemas: S): Shape<R, S>
export function shapeOf(rows: readonly KindedField[], schemas: Schemas<KindedField>): object {
  return Object.fromEntries(rows.map((row) => [row.name, schemas[row.kind]?.(row)]))
}

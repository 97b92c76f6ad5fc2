import type { components } from '#api-types'

export type ListReport = components['schemas']['MeasureListAnswer']

export type ListedAttack = ListReport['attacks'][number]

export type ListedTechnique = ListReport['techniques'][number]

export type LinkedDocument = ListReport['guidance'][number]

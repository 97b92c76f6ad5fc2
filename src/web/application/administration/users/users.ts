import type { components } from '#api-types'

export type User = components['schemas']['ListUsersAnswer'][number]

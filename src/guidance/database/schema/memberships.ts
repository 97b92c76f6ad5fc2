import type { Generated } from 'kysely'

export type Role = 'viewer' | 'author' | 'reviewer' | 'admin'

export interface MembershipsTable {
  id: Generated<number>
  user_id: number
  project_id: number
  role: Role
  created_at: string
  updated_at: string
}

export interface ProjectAccessRequestsTable {
  id: Generated<number>
  user_id: number
  project_id: number
  created_at: string
}

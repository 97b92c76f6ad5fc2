/** The fields of a project. */
export interface ProjectFields {
  name: string
  description: string
  visibility: 'discoverable' | 'hidden'
}

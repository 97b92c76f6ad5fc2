export interface ProjectFields {
  name: string
  description: string
  visibility: 'discoverable' | 'hidden'
}

import type { Sample } from '../sample-requests.ts'

/** Successful requests of the searches. */
export const SEARCH_SAMPLES: Readonly<Record<string, Sample>> = {
  searchGlobal: () => ({ query: { q: 'teapot', limit: '3', component_id: '1' } }),
  searchRules: () => ({ query: { q: 'SRG-OS-000001-GPOS-00001' } }),
  searchComponents: () => ({ query: { q: 'General_Purpose_Operating_System_SRG' } }),
  searchUnified: () => ({ query: { q: 'teapot', kind: 'rule,technique', severity: 'high' } }),
  suggestSearch: () => ({ query: { q: 'teap' } }),
  searchProjects: () => ({ query: { q: 'General_Purpose_Operating_System_SRG' } }),
}

import { it } from 'vitest'
import { sql } from 'kysely'
import { triageCounts } from '../../../src/guidance/reviews/counts.ts'
import { makeComponent } from '../../support/authoring.ts'
import { guidanceService } from '../../support/guidance.ts'
const g = guidanceService()
it('perf', async () => {
  const ann = await g().person('Ann')
  const client = await g().signIn(ann.email)
  const projectId = await g().project(client)
  const { id } = await makeComponent(g(), ann, { projectId, rules: 1000 })
  const db = g().service.guidance.database
  const cols = (n: string) => sql.raw(n)
  await db.transact((w) => sql`insert into reviews (component_id, rule_id, user_id, author_name, action, comment, triage_status, created_at, updated_at)
   select component_id, id, ${cols(String(ann.id))}, 'Ann', 'comment', ${'A comment of some length, as people write them. '.repeat(8)}, 'pending', created_at, updated_at from rules cross join (select 1 union all select 2 union all select 3 union all select 4 union all select 5) as five where component_id = ${cols(String(id))}`.execute(w))
  for (const path of ['', '?triage_status=all&page=3&per_page=100&include_rule_content=true', '?q=length', '?q=xyz&triage_status=all', '?per_page=100']) {
    for (let i = 0; i < 3; i++) {
      const t = performance.now()
      const r = await g().service.get(`/components/${id}/comments${path}`, { headers: { Cookie: client.cookie } })
      console.log(path, r.status, (performance.now() - t).toFixed(1))
    }
  }
  for (const of of [{ componentId: id }, { projectId }]) for (let i = 0; i < 3; i++) {
    const t = performance.now()
    await triageCounts(db.read, of)
    console.log('counts', (performance.now() - t).toFixed(1))
  }
}, 60000)

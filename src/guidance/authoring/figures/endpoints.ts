import { z } from 'zod'
import { signedIn } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams, searchText } from '../../../http/input.ts'
import type { Parts } from '../../parts/parts.ts'
import { projectRole } from '../../parts/project-access.ts'
import { componentRole } from '../access/component-access.ts'
import {
  findLatestComponents,
  findProjectStats,
  findStats,
  findSummary,
  findTriageSummary,
  findWorkflowState,
} from './reader.ts'
import {
  componentLatest,
  componentStats,
  componentSummary,
  projectStats,
  triageSummary,
  workflowState,
} from './schemas.ts'

const TAG = 'Figures'

const input = z.object({ params: idParams })

/** Figures of components and projects (docs/contract.md, Statistics). */
export function figureEndpoints(parts: Parts): readonly Endpoint[] {
  return [
    latest(parts),
    summary(parts),
    stats(parts),
    workflow(parts),
    triageOfComponent(parts),
    statsOfProject(parts),
    triageOfProject(parts),
  ]
}

function latest({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/components/latest',
    operation: 'listLatestComponents',
    tag: TAG,
    summary: 'The newest release of each released component, by prefix',
    access: signedIn,
    input: z.object({ query: z.object({ q: searchText.optional() }) }),
    answer: z.object({ rows: z.array(componentLatest) }),
    handle: async ({ input: { query } }) => ({
      rows: await findLatestComponents(database.read, query.q),
    }),
  })
}

function summary({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/components/{id}/summary',
    operation: 'getComponentSummary',
    tag: TAG,
    summary: 'Summary of a component',
    access: componentRole(database, 'read'),
    input,
    answer: componentSummary,
    handle: ({ grant }) => findSummary(database.read, grant, Date.now()),
  })
}

function stats({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/components/{id}/stats',
    operation: 'getComponentStats',
    tag: TAG,
    summary: 'Rules of a component by status and severity, with percentages of progress',
    access: componentRole(database, 'read'),
    input,
    answer: componentStats,
    handle: ({ grant }) => findStats(database.read, grant),
  })
}

function workflow({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/components/{id}/workflow_state',
    operation: 'getComponentWorkflowState',
    tag: TAG,
    summary: 'Progress of a component from its first rule to its release',
    access: componentRole(database, 'read'),
    input,
    answer: workflowState,
    handle: ({ grant }) => findWorkflowState(database.read, grant),
  })
}

function triageOfComponent({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/components/{id}/triage_summary',
    operation: 'getComponentTriageSummary',
    tag: TAG,
    summary: 'Comments on a component by triage status',
    access: componentRole(database, 'read'),
    input,
    answer: triageSummary,
    handle: ({ grant: { componentId } }) => findTriageSummary(database.read, { componentId }),
  })
}

function statsOfProject({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/projects/{id}/stats',
    operation: 'getProjectStats',
    tag: TAG,
    summary: 'Rules of all components of a project by status and severity',
    access: projectRole(database, 'viewer'),
    input,
    answer: projectStats,
    handle: ({ grant: { projectId } }) => findProjectStats(database.read, projectId),
  })
}

function triageOfProject({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/projects/{id}/triage_summary',
    operation: 'getProjectTriageSummary',
    tag: TAG,
    summary: 'Comments on all components of a project by triage status',
    access: projectRole(database, 'viewer'),
    input,
    answer: triageSummary,
    handle: ({ grant: { projectId } }) => findTriageSummary(database.read, { projectId }),
  })
}

import { err, ok } from '#core/result.ts'

import type { DataContext } from './context.ts'
import { readAttention } from './readAttention.ts'
import { scopesToRead } from './readPatients.ts'
import { readProjects } from './readProjects.ts'
import { readWork } from './readWork.ts'
import type { Reading } from './source.ts'
import type { HomeProject } from './types.ts'

/** The user's projects with what waits in each: counted on this device where it is kept, by the server where not. */
export async function readHome(context: DataContext): Reading<readonly HomeProject[]> {
  const projects = await readProjects(context)
  if (!projects.ok) return projects
  const attention = await readAttention(context)
  if (!attention.ok) return attention
  const homes: HomeProject[] = []
  for (const project of projects.value) {
    const needing = attention.value.filter(({ projectId }) => projectId === project.id).length
    const counted = await countsOf(context, project.id)
    homes.push({ project, counts: counted.ok ? { ...counted.value, attention: Math.max(needing, counted.value.attention) } : null })
  }
  return ok(homes)
}

type Counts = NonNullable<HomeProject['counts']>

async function countsOf(context: DataContext, projectId: string): Reading<Counts> {
  const scopes = await context.storage.run(() => scopesToRead(context, projectId))
  if (!scopes.ok) return scopes
  if (scopes.value !== null && scopes.value.length > 0) {
    const missing = await readWork(context, projectId, { todo: 'missing' })
    if (!missing.ok) return missing
    const process = await readWork(context, projectId, { todo: 'process' })
    return process.ok ? ok({ missing: missing.value.total, process: process.value.total, attention: 0 }) : process
  }
  if (!context.online()) return err({ code: 'not_kept' })
  const about = await context.remote.read(['aboutme'], () => context.api.call('project.aboutme', {}))
  if (!about.ok) return about
  const own = about.value.projects.find((project) => project.projectId === projectId)
  return own === undefined ? err({ code: 'not_found' }) : ok({ missing: own.missing, process: own.process, attention: own.conflicts })
}

import type { CallOf } from '#core/api/table.ts'
import { queryRightsOf } from '#core/access/queryRights.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { err, ok } from '#core/result.ts'
import { reviewsQueries } from '#core/review/query.ts'
import { readAttention } from '#src/data/casebook/readAttention.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { readProjects } from '#src/data/rows/readProjects.ts'
import type { HomeProject } from '#src/data/shapes/types.ts'
import type { Reading } from '#src/data/shapes/reading.ts'
import type { AnswerOf } from '#src/session/api.ts'

import { scopesToRead } from './readPatients.ts'
import { readQueryFiguresHere } from './readQueries.ts'
import { readWork } from './readWork.ts'

/**
 * The user's projects with what waits in each: counted on this device where the project is kept, otherwise by the
 * server. On a slow line the projects do not wait for the server's counts; the counts are added when they come.
 */
export async function readHome(context: DataContext): Reading<readonly HomeProject[]> {
  // The counts are requested together with the projects: on a slow line each round trip is felt.
  const asked = askedCounts(context)
  const projects = await readProjects(context)
  if (!projects.ok) return projects
  const attention = await readAttention(context)
  if (!attention.ok) return attention
  const homes: HomeProject[] = []
  for (const project of projects.value) {
    const needing = attention.value.filter(({ projectId }) => projectId === project.id).length
    const counted = await countsOf(context, project, asked)
    const counting = !counted.ok && counted.error.code === 'not_kept' && asked === null && context.online()
    homes.push({
      project,
      counting,
      counts: counted.ok ? { ...counted.value, attention: Math.max(needing, counted.value.attention) } : null,
    })
  }
  return ok(homes)
}

type Counts = NonNullable<HomeProject['counts']>

type About = AnswerOf<CallOf<'project.aboutme'>>

/** What the server counts, as far as it has answered; the screen is told when a later answer differs. */
function askedCounts(context: DataContext): About | null {
  return context.online() ? context.remote.peek(['aboutme'], () => context.api.call('project.aboutme', {})) : null
}

async function countsOf(context: DataContext, project: ProjectRow, asked: About | null): Reading<Counts> {
  const projectId = project.id
  const own = asked?.projects.find((one) => one.projectId === projectId)
  const scopes = await context.storage.run(() => scopesToRead(context, projectId))
  if (!scopes.ok) return scopes
  // Patients who were only opened are not all that waits in their center.
  if (scopes.value !== null && scopes.value.length > 0 && scopes.value.every(({ opened }) => opened === null)) {
    const missing = await readWork(context, projectId, { todo: 'missing' })
    if (!missing.ok) return missing
    const process = await readWork(context, projectId, { todo: 'process' })
    if (!process.ok) return process
    const here = await readQueryFiguresHere(context, projectId)
    if (!here.ok) return here
    // What waits for who reviews is not all on a tablet.
    const reviews = reviewsQueries(queryRightsOf(new Set(project.permissions)))
    const queries = reviews && own !== undefined ? own.queries : here.value.waits
    return ok({ missing: missing.value.total, process: process.value.total, attention: 0, queries })
  }
  if (asked === null) return err({ code: 'not_kept' })
  return own === undefined
    ? err({ code: 'not_found' })
    : ok({ missing: own.missing, process: own.process, attention: own.conflicts, queries: own.queries })
}

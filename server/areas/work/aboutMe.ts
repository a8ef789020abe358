import type { DataOf } from '#core/api/call.ts'
import { ABOUT_ME_PROJECTS } from '#core/api/calls/project.ts'
import type { ProjectWork } from '#core/api/calls/project.ts'
import type { CallOf } from '#core/api/table.ts'
import { ApiFailure } from '#core/api/errors.ts'
import { membership, passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { ENTRY_TO_DO } from '#server/areas/patient/toDo.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import { countQueries } from '#server/areas/query/list.ts'
import { listProjects } from '#server/areas/project/store.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { CallContext } from '#server/http/handler.ts'

/** What waits for a user in each project that they can enter: within their centers, pass and data scope. */
export async function aboutMe({
  services,
  actor,
}: CallContext<'project.aboutme'>): Promise<DataOf<CallOf<'project.aboutme'>>> {
  return withConnection(services.pool, async (connection) => {
    const { rows } = await listProjects(connection, actor, { name: null, limit: ABOUT_ME_PROJECTS, offset: 0 })
    const projects: ProjectWork[] = []
    for (const { id } of rows) {
      try {
        projects.push(await workIn(connection, await membership(connection, actor, id)))
      } catch (thrown) {
        // A right was withdrawn since the list was made. Then nothing is told of that project.
        if (!(thrown instanceof ApiFailure)) throw thrown
      }
    }
    return { projects }
  })
}

async function workIn(transaction: Queryable, member: Membership): Promise<ProjectWork> {
  const { rows } = await transaction.query<{ missing: number; process: number; conflicts: number }>({
    name: 'project_work',
    text: `
      WITH waiting AS (
        SELECT (e.progress->>'missing')::integer > 0 AS lacks
        FROM entry e JOIN patient p ON p.id = e.patient_id
        WHERE e.project_id = $1 AND ${PATIENT_VISIBLE} AND ($4::smallint IS NULL OR e.pass = $4)
          AND NOT e.deleted AND NOT p.deleted AND ${ENTRY_TO_DO})
      SELECT
        count(*) FILTER (WHERE lacks)::integer AS missing,
        count(*) FILTER (WHERE lacks IS NOT TRUE)::integer AS process,
        (SELECT count(*)::integer FROM conflict c JOIN entry e ON e.id = c.entry_id JOIN patient p ON p.id = e.patient_id
         WHERE c.project_id = $1 AND c.state = 'open' AND ${PATIENT_VISIBLE} AND ($4::smallint IS NULL OR e.pass = $4)) AS conflicts
      FROM waiting`,
    values: [...visibleTo(member), passParameter(member)],
  })
  const { waits: queries } = await countQueries(transaction, member)
  return {
    projectId: member.projectId,
    role: member.role,
    ...(rows[0] ?? { missing: 0, process: 0, conflicts: 0 }),
    queries,
  }
}

import type { Stage } from '../sync/stage.ts'

/** Queries about fields of the pages that were seeded, in every state and of every age, each as it was raised. */
export async function seedQueries({ database, study, coordinator }: Stage, count: number): Promise<void> {
  await database.query(
    `INSERT INTO query (
       id, project_id, no, patient_id, folder_id, folder_repeat, page_id, page_repeat, pass, entry_id, prop, version_id, source, state,
       asked_at, state_at, text, urgent, due_on, raised_by, updated_at)
     SELECT
       gen_random_uuid(), $1, n, e.patient_id, e.folder_id, '0', e.page_id, '0', 1, e.id, 'f' || (1 + n % 3), e.version_id,
       CASE n % 3 WHEN 0 THEN 'monitor' ELSE 'dataManagement' END, said.state,
       CASE WHEN said.state <> 'candidate' THEN said.at END, said.at, '收缩压 ' || n || ' 与源文件不一致，请核对', n % 17 = 0,
       CASE WHEN n % 4 = 0 THEN (said.at + interval '14 days')::date END, $2, said.at
     FROM generate_series(1, $3::integer) AS n
       JOIN (
         SELECT id, patient_id, folder_id, page_id, version_id, row_number() OVER (ORDER BY id) AS place FROM entry WHERE project_id = $1
       ) e ON e.place = 1 + (n * 7) % (SELECT count(*) FROM entry WHERE project_id = $1)
       CROSS JOIN LATERAL (
         SELECT (ARRAY['open', 'open', 'answered', 'closed', 'closed', 'closed', 'closed', 'cancelled', 'candidate', 'closed'])[1 + n % 10] AS state,
           now() - make_interval(hours => n % 2400) AS at) said`,
    [study.projectId, coordinator.userId, count],
  )
  await database.query(
    `INSERT INTO query_act (key, query_id, sort, act, effect, state, text, by_user, role, acted_at, received_at)
     SELECT gen_random_uuid(), id, 1, 'raise', 'applied', CASE state WHEN 'candidate' THEN 'candidate' ELSE 'open' END, text, raised_by, 'DBD', state_at, state_at
     FROM query WHERE project_id = $1`,
    [study.projectId],
  )
  await database.query('UPDATE project SET query_count = $2 WHERE id = $1', [study.projectId, count])
}

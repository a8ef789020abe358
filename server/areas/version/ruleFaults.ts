import type { RuleFaultLine } from '#core/api/calls/design.ts'
import { centerParameter, passParameter, requirePermission } from '#server/access.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import { membershipOf } from '#server/areas/version/service.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { CallContext } from '#server/http/handler.ts'

/**
 * Failures of rules, as far as the reader may see them: counted over the reader's centers, with entries only of
 * patients that they see.
 */

const MAX_LINES = 200

interface Row extends Omit<RuleFaultLine, 'last'> {
  readonly entryId: string | null
  readonly patientId: string | null
  readonly patient: string | null
}

export async function listRuleFaults(
  context: Pick<CallContext<'version.ruleFaults'>, 'services' | 'actor' | 'query'>,
): Promise<RuleFaultLine[]> {
  const { services, actor, query } = context
  return withTransaction(services.pool, async (transaction) => {
    const member = await membershipOf(transaction, actor, query.crfId)
    requirePermission(member, 'rule_edit')
    const { rows } = await transaction.query<Row>({
      name: 'rule_fault_list',
      text: `
        WITH line AS (
          SELECT f.version_id, f.page_id, f.field, f.role, sum(f.count)::integer AS count, min(f.first_at) AS first_at, max(f.last_at) AS last_at,
            (array_agg(f.last_entry_id ORDER BY f.last_at DESC))[1] AS entry_id, (array_agg(f.kind ORDER BY f.last_at DESC))[1] AS kind
          FROM rule_fault f WHERE f.project_id = $1 AND ($5::uuid[] IS NULL OR f.center_id = ANY ($5))
          GROUP BY f.version_id, f.page_id, f.field, f.role ORDER BY max(f.last_at) DESC LIMIT ${MAX_LINES}
        )
        SELECT 'V' || v.version_no || '.0' AS version, l.page_id AS "pageId", coalesce(g.name, '') AS "pageName", g.name_en AS "pageNameEn", l.field, l.role, l.kind, l.count,
          l.first_at AS "firstAt", l.last_at AS "lastAt", e.id AS "entryId", e.patient_id AS "patientId", e.patient
        FROM line l JOIN crf_version v ON v.id = l.version_id
        LEFT JOIN LATERAL (SELECT name, name_en FROM crf_page g WHERE g.version_id = l.version_id AND g.page_id = l.page_id LIMIT 1) g ON true
        LEFT JOIN LATERAL (
          SELECT e.id, e.patient_id, coalesce(p.no, p.mark) AS patient FROM entry e JOIN patient p ON p.id = e.patient_id
          WHERE e.id = l.entry_id AND ${PATIENT_VISIBLE} AND NOT p.deleted AND NOT e.deleted AND ($4::smallint IS NULL OR e.pass = $4)
        ) e ON true
        ORDER BY l.last_at DESC`,
      values: [...visibleTo(member), passParameter(member), centerParameter(member)],
    })
    return rows.map(({ entryId, patientId, patient, ...line }) => ({
      ...line,
      last: entryId === null || patientId === null || patient === null ? null : { entryId, patientId, patient },
    }))
  })
}

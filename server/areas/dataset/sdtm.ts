import { proposeMapping } from '#core/dataset/sdtm/propose.ts'
import type { SdtmMapping } from '#core/dataset/sdtm/mapping.ts'
import type { Leaving } from '#core/dataset/pagePlan.ts'
import type { Reading } from '#core/dataset/rowsOf.ts'
import type { StudyPages } from '#core/dataset/source.ts'
import { sdtmTables } from '#core/exchange/data/sdtm/sdtmFiles.ts'
import type { DomainTable, SdtmStudy } from '#core/exchange/data/sdtm/domainTable.ts'
import { formatsByKind } from '#core/dataset/formats.ts'
import { membership } from '#server/access.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Actor } from '#server/http/handler.ts'
import type { Services } from '#server/services.ts'

import { requireExport } from './rights.ts'
import { loadStudy } from './study.ts'

/** Tables of SDTM (docs/adr/0055-sdtm.md). */

/**
 * A mapping to begin with.
 *
 * @throws ApiFailure not_found, forbidden
 */
export async function proposalOf(
  { pool }: Pick<Services, 'pool'>,
  actor: Actor,
  projectId: string,
): Promise<SdtmMapping | null> {
  return withConnection(pool, async (connection) => {
    const member = await membership(connection, actor, projectId)
    requireExport(member)
    const study = await loadStudy(connection, projectId)
    const { rows } = await connection.query<{ name: string }>({
      name: 'dataset_sdtm_name',
      text: 'SELECT name FROM project WHERE id = $1',
      values: [projectId],
    })
    const mapping = proposeMapping(study, rows[0]?.name ?? '')
    return mapping.domains.length === 0 ? null : mapping
  })
}

/** A table among those of other formats, of which one may have the same name. */
export function sdtmName({ name }: Pick<DomainTable, 'name'>): string {
  return `SDTM.${name}`
}

/** What a run writes of SDTM. */
export interface SdtmRun {
  readonly of: SdtmStudy
  readonly tables: readonly DomainTable[]
}

/** The tables that a definition asks for; null where it asks for none. They read what the other tables read. */
export function sdtmRunOf(study: StudyPages, leaving: Leaving, reading: Reading): SdtmRun | null {
  const { sdtm: mapping, formats } = leaving.definition
  if (mapping === undefined || formatsByKind(formats).sdtm.length === 0) return null
  const of = { study, leaving, reading, mapping }
  return { of, tables: sdtmTables(of) }
}

import type { DataSetFacts, FactField } from '#core/api/calls/data/dataset.ts'
import { isMaskedField, fieldsWithin, judgeField } from '#core/dataset/deidentify.ts'
import { fieldsOfPage } from '#core/dataset/pageColumns.ts'
import type { StudyPage } from '#core/dataset/source.ts'
import { centerParameter, isTheirs, membership, ownParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Actor } from '#server/http/handler.ts'
import type { Services } from '#server/services.ts'

import { searchesFor } from './narrow.ts'
import { mayIdentify, mayReadTrail, maySeeIdentity, requireExport, viewOf } from './rights.ts'
import { loadStudy, loadVersions } from './study.ts'

/** What a definition can choose from. */

/** @throws ApiFailure not_found, forbidden */
export async function factsOf(
  { pool }: Pick<Services, 'pool'>,
  actor: Actor,
  projectId: string,
): Promise<DataSetFacts> {
  return withConnection(pool, async (connection) => {
    const member = await membership(connection, actor, projectId)
    requireExport(member)
    const study = await loadStudy(connection, projectId)
    const foldersOf = Map.groupBy(study.places, ({ pageId }) => pageId)
    return {
      pages: study.pages.map((page) => ({
        pageId: page.pageId,
        code: page.code,
        name: page.name,
        nameEn: page.nameEn,
        folders: (foldersOf.get(page.pageId) ?? []).map(({ folderName, folderNameEn }) => ({
          name: folderName,
          nameEn: folderNameEn,
        })),
        fields: fieldFacts(page),
      })),
      centers: [...(await centersOf(connection, member))],
      versions: [...(await loadVersions(connection, projectId))],
      searches: await searchesFor(connection, member),
      mayIdentify: mayIdentify(member),
      maySeeIdentity: maySeeIdentity(member),
      mayReadBothPasses: viewOf(member).passes.length > 1,
      mayReadTrail: mayReadTrail(member),
    }
  })
}

const NOTHING_KEPT = { on: true, keepText: [], ages: [] }

function fieldFacts(page: StudyPage): FactField[] {
  const fields = fieldsOfPage(page)
  const tables = new Map(fields.map(({ code, label }) => [code, label]))
  return [...fieldsWithin(fields)].flatMap(({ table, field }) => {
    const { type } = field
    if (type === 'title') return []
    const judged = judgeField(field, { pageId: page.pageId, table }, { deidentify: NOTHING_KEPT, masked: page.masked })
    return [
      {
        table,
        tableLabel: table === null ? null : (tables.get(table) ?? null),
        code: field.code,
        label: field.label,
        labelEn: field.labelEn,
        type,
        unit: field.unit,
        identifies: isMaskedField(field, table, page.masked),
        isText: 'out' in judged && judged.out === 'text',
        isNumber: 'keep' in judged && judged.keep === 'number',
      },
    ]
  })
}

async function centersOf(connection: Queryable, member: Membership): Promise<DataSetFacts['centers']> {
  const { rows } = await connection.query<DataSetFacts['centers'][number]>({
    name: 'dataset_centers',
    text: `
      SELECT c.id, c.code, c.name, (
        SELECT count(*)::integer FROM patient p WHERE p.center_id = c.id AND NOT p.deleted AND ${isTheirs('p', '$3')}) AS subjects
      FROM center c WHERE c.project_id = $1 AND ($2::uuid[] IS NULL OR c.id = ANY ($2)) ORDER BY c.code`,
    values: [member.projectId, centerParameter(member), ownParameter(member)],
  })
  return rows
}

import { fail } from '#core/api/errors.ts'
import { fieldsOf, hasChange, isFitting, isFittingChange, leavesOf, shapeOf } from '#core/dataset/conditions.ts'
import type { AnswerField, Condition } from '#core/dataset/conditions.ts'
import { isRange, parsePage } from '#core/form/definition/page.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import type { Membership } from '#server/access.ts'
import { fieldAt } from '#server/areas/entry/reading/pages.ts'
import { isMasked } from '#server/areas/entry/reading/mask.ts'
import { pageMasks } from '#server/areas/entry/reading/pageMasks.ts'
import type { Queryable } from '#server/database/transaction.ts'

import type { KnownField } from './answerSql.ts'

/** The fields that are asked about: those that a release of the project has, and that the reader may see. */

export interface FieldsKnown {
  /** @throws ApiFailure invalid for a field that was not looked up */
  of(field: AnswerField): KnownField
}

/** A page as the releases of a project define it. */
export interface ReleasedPage {
  readonly pageId: string
  /** The newest first. */
  readonly models: readonly PageModel[]
}

/** The readable definitions of pages in the releases of the project, the newest first. */
export async function releasedPages(
  connection: Queryable,
  projectId: string,
  pageIds: readonly string[],
): Promise<ReadonlyMap<string, ReleasedPage>> {
  const { rows } = await connection.query<{ pageId: string; option: string }>({
    name: 'released_pages',
    text: `
      SELECT p.page_id AS "pageId", p.option, max(v.version_no) AS no
      FROM crf_version v JOIN crf_page p ON p.version_id = v.id
      WHERE v.project_id = $1 AND p.page_id = ANY ($2) AND v.profile = 'formal'
      GROUP BY p.page_id, p.option ORDER BY no DESC`,
    values: [projectId, [...new Set(pageIds)]],
  })
  const pages = new Map<string, PageModel[]>()
  for (const { pageId, option } of rows) {
    const read = parsePage(option)
    if (!read.ok) continue
    const models = pages.get(pageId) ?? []
    models.push(read.page)
    pages.set(pageId, models)
  }
  return new Map([...pages].map(([pageId, models]) => [pageId, { pageId, models }]))
}

/**
 * Looks fields up, as the newest release that has them defines them.
 *
 * @throws ApiFailure forbidden for a field that the reader may not see: whether something is in it could be guessed;
 *   invalid for one that no release has, or that has no answers
 */
export async function knowFields(
  connection: Queryable,
  member: Membership,
  fields: readonly AnswerField[],
  path: string,
): Promise<FieldsKnown> {
  const pageIds = fields.map(({ pageId }) => pageId)
  const pages =
    fields.length === 0 ? new Map<string, ReleasedPage>() : await releasedPages(connection, member.projectId, pageIds)
  const masks = member.sensitive ? null : await pageMasks(connection, member.projectId, pageIds)
  const known = new Map<string, KnownField>()
  for (const field of fields) {
    const { pageId, table, code, part } = field
    if (masks !== null && isMasked(masks.get(pageId) ?? new Set(), table, code)) throw fail('forbidden')
    const found = pages
      .get(pageId)
      ?.models.map((page) => fieldAt(page, table, code))
      .find((one) => one !== null)
    const shape = found === undefined || found === null ? null : shapeOf(found)
    if (found === undefined || found === null || shape === null) throw refuse(path, 'unknown')
    if (isRange(found) !== (part !== null)) throw refuse(path, 'part')
    known.set(JSON.stringify([pageId, table, code, part]), { ...field, shape })
  }
  return {
    of: ({ pageId, table, code, part }) => {
      const field = known.get(JSON.stringify([pageId, table, code, part]))
      if (field === undefined) throw refuse(path, 'unknown')
      return field
    },
  }
}

/**
 * Looks up the fields of a condition, and whether what is asked of them can be asked.
 *
 * @throws ApiFailure forbidden, invalid as `knowFields`; invalid for a test that does not fit its field
 */
export async function knowCondition(
  connection: Queryable,
  member: Membership,
  condition: Condition,
  path = 'body.condition',
): Promise<FieldsKnown> {
  const fields = await knowFields(connection, member, fieldsOf(condition), path)
  for (const leaf of leavesOf(condition)) {
    if (leaf.kind !== 'field') continue
    const { shape, table } = fields.of(leaf.field)
    const fits =
      leaf.at.which === 'change'
        ? table === null && hasChange(shape) && isFittingChange(leaf.test)
        : isFitting(leaf.test, shape.kind)
    if (!fits) throw refuse(path, 'operator')
  }
  return fields
}

/** Whether a condition asks about a field that identifies a person, in any version that the page ever had. */
export async function isIdentifying(connection: Queryable, projectId: string, condition: Condition): Promise<boolean> {
  const fields = fieldsOf(condition)
  const masks = await pageMasks(
    connection,
    projectId,
    fields.map(({ pageId }) => pageId),
  )
  return fields.some(({ pageId, table, code }) => isMasked(masks.get(pageId) ?? new Set(), table, code))
}

export function refuse(path: string, code: string) {
  return fail('invalid', { fields: [{ path, code }] })
}

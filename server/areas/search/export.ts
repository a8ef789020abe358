import { Readable } from 'node:stream'
import type { FoundSubject } from '#core/api/calls/data/search.ts'
import { fail } from '#core/api/errors.ts'
import type { AnswerField } from '#core/dataset/conditions.ts'
import { columnsOfField } from '#core/dataset/itemColumns.ts'
import { isMissing } from '#core/dataset/table.ts'
import { csvText } from '#core/exchange/writeCsv.ts'
import type { Language } from '#core/language.ts'
import { projectStatuses } from '#core/study/projectStatus.ts'
import { membership, requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { fieldAt } from '#server/areas/entry/reading/pages.ts'
import { commitProject } from '#server/database/commit.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { BlobAnswer, CallContext } from '#server/http/handler.ts'
import { stampOf } from '#server/http/runOnce.ts'
import { requireSession } from '#server/http/session.ts'

import { allSubjects, loadSubjects } from './find.ts'
import { bookedCondition } from './keep.ts'
import { isIdentifying, releasedPages } from './searchFields.ts'

/** The list of a search as a file. */

/** Subjects that are read at once; in between the connection is given back. */
const BATCH = 500

const words = {
  zh: {
    no: '受试者编号',
    initials: '姓名缩写',
    center: '研究中心',
    sex: '性别',
    enrolledOn: '入组日期',
    F: '女',
    M: '男',
    none: '待编号',
    ND: '未做',
    UNK: '未知',
    NA: '不适用',
  },
  en: {
    no: 'Subject number',
    initials: 'Initials',
    center: 'Center',
    sex: 'Sex',
    enrolledOn: 'Enrolled on',
    F: 'Female',
    M: 'Male',
    none: 'No number yet',
    ND: 'Not done',
    UNK: 'Unknown',
    NA: 'Not applicable',
  },
} as const satisfies Readonly<Record<Language, object>>

/**
 * All subjects that meet a condition. The download is booked before its first byte, with the condition and how many.
 *
 * @throws ApiFailure forbidden for who may not export, for a field that is masked, and for an answer that identifies
 *   without the right to export such
 */
export async function exportSubjects(context: CallContext<'search.export'>): Promise<BlobAnswer> {
  const { services, actor, body, params, language, acted, ip, call, key } = context
  const { projectId, condition, show } = body
  const mayFetch = async (connection: Queryable): Promise<Membership> => {
    const member = await membership(connection, actor, projectId)
    requirePermission(member, 'search_view')
    requirePermission(member, 'export')
    if (!member.permissions.has('export_identified') && (await identifies(connection, projectId, show)))
      throw fail('forbidden')
    return member
  }
  const { ids, head } = await withTransaction(services.pool, async (transaction) => {
    const member = await mayFetch(transaction)
    const found = await allSubjects(transaction, member, condition)
    // Refuses what may not be shown before anything is booked.
    await loadSubjects(transaction, member, [], { show, language })
    await commitProject(transaction, {
      projectId,
      statuses: projectStatuses,
      stamp: stampOf({ actor, acted, ip, call, key, receivedAt: services.now() }, member.role),
      audit: [
        {
          action: 'search.export',
          new: {
            name: params.name,
            condition: await bookedCondition(transaction, projectId, condition),
            show: show.map((field) => ({ ...field })),
            count: found.length,
          },
        },
      ],
      changes: [],
    })
    return { ids: found, head: await headOf(transaction, projectId, show, language) }
  })
  async function* parts(): AsyncGenerator<string> {
    yield csvText([head])
    for (let from = 0; from < ids.length; from += BATCH) {
      const part = ids.slice(from, from + BATCH)
      const rows = await withConnection(services.pool, async (connection) => {
        await requireSession(connection, actor)
        return loadSubjects(connection, await mayFetch(connection), part, { show, language })
      })
      // The mark at the beginning stands once.
      yield csvText(rows.map((row) => cellsOf(row, language))).slice(1)
    }
  }
  return {
    body: Readable.from(parts(), { objectMode: false }),
    type: 'text/csv; charset=utf-8',
    name: params.name,
    length: null,
  }
}

async function identifies(connection: Queryable, projectId: string, show: readonly AnswerField[]): Promise<boolean> {
  if (show.length === 0) return false
  const asked = show.map((field) => ({ kind: 'field', field, at: { which: 'any' }, test: { op: 'filled' } }) as const)
  return isIdentifying(connection, projectId, { kind: 'all', of: asked })
}

async function headOf(
  connection: Queryable,
  projectId: string,
  show: readonly AnswerField[],
  language: Language,
): Promise<readonly string[]> {
  const pages = await releasedPages(
    connection,
    projectId,
    show.map(({ pageId }) => pageId),
  )
  const said = words[language]
  const labels = show.map(({ pageId, table, code, part }) => {
    const found = pages
      .get(pageId)
      ?.models.map((page) => fieldAt(page, table, code))
      .find((one) => one !== null)
    if (found === undefined || found === null) return code
    const columns = columnsOfField(found, { pageId, table, code }, { language, values: 'labels', reasons: false })
    return columns[part === 'end' ? 1 : 0]?.variable.label ?? code
  })
  return [said.no, said.initials, said.center, said.sex, said.enrolledOn, ...labels]
}

function cellsOf(row: FoundSubject, language: Language): readonly (string | number | null)[] {
  const said = words[language]
  return [
    row.no ?? `${said.none}-${row.mark}`,
    row.initials,
    row.centerName,
    row.sex === null ? null : said[row.sex],
    row.enrolledOn,
    ...row.answers.map((cell) => (isMissing(cell) ? said[cell.m] : cell)),
  ]
}

import { Readable } from 'node:stream'
import { fail } from '#core/api/errors.ts'
import type { PatientFilter } from '#core/api/calls/patient.ts'
import { withoutFormula } from '#core/exchange/formula.ts'
import { streamXlsx } from '#core/exchange/sheet/writeXlsx.ts'
import { XLSX_TYPE } from '#core/exchange/sheet/xlsxType.ts'
import type { Language } from '#core/language.ts'
import { projectStatuses } from '#core/study/projectStatus.ts'
import type { PatientRow } from '#core/api/sync/rows.ts'
import { membership, requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { allListed, requireMayAsk } from '#server/areas/patient/list.ts'
import { loadPatientRows } from '#server/areas/patient/store.ts'
import { commitProject } from '#server/database/commit.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { BlobAnswer, CallContext } from '#server/http/handler.ts'
import { requireSession } from '#server/http/session.ts'
import { stampOf } from '#server/http/runOnce.ts'

/** The list of patients as a spreadsheet. */

/**
 * Patients that are read at once. In between the connection is given back, so that a slow download does not hold it.
 */
const BATCH = 500

const words = {
  zh: {
    sheet: '受试者',
    no: '受试者编号',
    initials: '姓名缩写',
    sex: '性别',
    enrolledOn: '入组日期',
    center: '研究中心',
    status: '状态',
    F: '女',
    M: '男',
    active: '在组',
    removed: '已作废',
    none: '待编号',
    name: '姓名',
    mobile: '手机号',
    email: '邮箱',
    birthDate: '出生日期',
  },
  en: {
    sheet: 'Subjects',
    no: 'Subject number',
    initials: 'Initials',
    sex: 'Sex',
    enrolledOn: 'Enrolled on',
    center: 'Center',
    status: 'Status',
    F: 'Female',
    M: 'Male',
    active: 'Enrolled',
    removed: 'Voided',
    none: 'No number yet',
    name: 'Name',
    mobile: 'Mobile',
    email: 'E-mail',
    birthDate: 'Date of birth',
  },
} as const satisfies Readonly<Record<Language, object>>

/**
 * The sheet with all patients of the list. The download is booked before its first byte, with the filter and the
 * number of patients. Identifying facts are in it only for a reader who holds both rights to them.
 *
 * @throws ApiFailure not_found, forbidden
 */
export async function patientSheet(context: CallContext<'patient.excel'>): Promise<BlobAnswer> {
  const { services, actor, query, params, language, acted, ip, call, key } = context
  const { projectId, ...said } = query
  const filter: PatientFilter = said
  const mayFetch = async (connection: Queryable): Promise<Membership> => {
    const member = await membership(connection, actor, projectId)
    requirePermission(member, 'export')
    await requireMayAsk(connection, member, filter)
    return member
  }
  const { ids, identified } = await withTransaction(services.pool, async (transaction) => {
    const member = await mayFetch(transaction)
    const listed = await allListed(transaction, member, filter)
    const withIdentity = mayIdentify(member)
    await commitProject(transaction, {
      projectId,
      statuses: projectStatuses,
      stamp: stampOf({ actor, acted, ip, call, key, receivedAt: services.now() }, member.role),
      audit: [
        {
          action: 'patient.export',
          new: { name: params.name, filter: saidOf(filter), count: listed.length, identified: withIdentity },
        },
      ],
      changes: [],
    })
    return { ids: listed, identified: withIdentity }
  })

  const head = headOf(language, identified)
  async function* rows(): AsyncGenerator<readonly string[]> {
    yield head
    const centers = await withConnection(services.pool, (connection) =>
      connection.query<{ id: string; name: string }>({
        name: 'sheet_centers',
        text: 'SELECT id, name FROM center WHERE project_id = $1',
        values: [projectId],
      }),
    )
    const names = new Map(centers.rows.map(({ id, name }) => [id, name]))
    for (let from = 0; from < ids.length; from += BATCH) {
      const part = ids.slice(from, from + BATCH)
      // Session and rights are checked for each part, because a download may last longer than they do. The rest of the
      // sheet is then not sent.
      const found = await withConnection(services.pool, async (connection) => {
        await requireSession(connection, actor)
        const member = await mayFetch(connection)
        if (identified && !mayIdentify(member)) throw fail('forbidden')
        return new Map((await loadPatientRows(connection, member, part, identified)).map((row) => [row.id, row]))
      })
      for (const id of part) {
        const row = found.get(id)
        if (row !== undefined) yield cellsOf(row, names.get(row.centerId) ?? '', language, identified)
      }
    }
  }
  return {
    body: Readable.from(streamXlsx({ name: words[language].sheet, columns: head.length, rows: rows() }), {
      objectMode: false,
    }),
    type: XLSX_TYPE,
    name: params.name,
    length: null,
  }
}

function mayIdentify({ sensitive, permissions }: Membership): boolean {
  return sensitive && permissions.has('export_identified')
}

/** The filter without its empty parts. */
function saidOf(filter: PatientFilter): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

const IDENTIFYING = ['name', 'mobile', 'email', 'birthDate'] as const

function headOf(language: Language, identified: boolean): readonly string[] {
  const { no, initials, sex, enrolledOn, center, status, ...more } = words[language]
  return [no, initials, sex, enrolledOn, center, status, ...(identified ? IDENTIFYING.map((field) => more[field]) : [])]
}

function cellsOf(row: PatientRow, centerName: string, language: Language, identified: boolean): readonly string[] {
  const said = words[language]
  const { no, mark, initials, sex, enrolledOn, deleted, identity } = row
  const open = [
    no ?? `${said.none}-${mark}`,
    initials ?? '',
    sex === null ? '' : said[sex],
    enrolledOn ?? '',
    centerName,
    deleted ? said.removed : said.active,
  ]
  const all = identified ? [...open, ...IDENTIFYING.map((field) => identity?.[field] ?? '')] : open
  // The list is read by other programs, and many save it as text. A formula that somebody typed would run there.
  return all.map(withoutFormula)
}

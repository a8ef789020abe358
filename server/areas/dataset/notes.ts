import { studyTime } from '#core/dataset/aboutColumns.ts'
import type { Language } from '#core/language.ts'

import { foundOf, printOf } from '#core/dataset/definition.ts'
import { hasTrail, isPaperFormat } from '#core/dataset/formats.ts'

import type { Archived } from './archived.ts'
import type { WrittenCasebooks } from './clinical/files.ts'

/** What a person reads first who opens an archive. */

const words = {
  zh: {
    title: (name: string) => `数据导出：${name}`,
    project: '项目',
    taken: '数据时点（UTC+8）',
    position: '稽查轨迹位置',
    by: '申请人',
    approver: '审批人',
    purpose: '用途',
    abroad: '跨境提供',
    found: '按检索筛选受试者',
    subjects: '受试者数',
    entries: '表单页数',
    conflicts: '其中未解决的录入冲突',
    deidentified:
      '已脱敏：受试者编号换为假名；同一受试者的全部日期平移同一天数（0–364 天）；不完整的日期只留年份；姓名、联系方式、出生日期、保存人、文件和图片不导出；未选定保留的自由文本不导出；选项以外和不符合字段类型的内容视为自由文本。',
    identified: '未脱敏：本文件可识别个人，须按审批的用途使用和保管。',
    leftOut: '未导出的字段',
    casebooks: '病例报告数据：按录入原样写出，规则隐藏的内容除外。未导出字段的质疑和稽查轨迹一并不导出。',
    counts: ({ format, subjects, entries, queries, trailLines, notes }: WrittenCasebooks, withQueries: boolean) =>
      `${format}：受试者 ${String(subjects)}，表单页 ${String(entries)}${
        hasQueries(format, withQueries) ? `，质疑 ${String(queries)}` : ''
      }${hasTrail(format) ? `，稽查轨迹 ${String(trailLines)} 行` : ''}${
        notes === 0 ? '' : `；格式无法表达 ${String(notes)} 处，见 ${format}/notes.csv`
      }`,
    trail: '稽查轨迹含所选表单页的全部记录，包括已删除的表单页；与表单页无关的记录（受试者、访视、项目）不在文件中。',
    why: { identifier: '可识别个人', text: '自由文本', file: '文件' },
  },
  en: {
    title: (name: string) => `Data export: ${name}`,
    project: 'Project',
    taken: 'Data as of (UTC+8)',
    position: 'Place in the audit trail',
    by: 'Requested by',
    approver: 'Approved by',
    purpose: 'Purpose',
    abroad: 'Provided abroad',
    found: 'Subjects found by the search',
    subjects: 'Subjects',
    entries: 'Pages',
    conflicts: 'Of these, open conflicts',
    deidentified:
      'De-identified: subject numbers are pseudonyms; all dates of a subject are shifted by one number of days (0–364); of partial dates only the year is kept; names, contacts, dates of birth, who saved, files and pictures are left out; free text that nobody chose to keep is left out; what is not in the list of choices, or no value of its field, counts as free text.',
    identified: 'Not de-identified: these files identify people and must be used and kept as approved.',
    leftOut: 'Fields that are left out',
    casebooks:
      'Case report data: as entered, but for what rules hide. Of fields that are left out, queries and lines of the trail are left out as well.',
    counts: ({ format, subjects, entries, queries, trailLines, notes }: WrittenCasebooks, withQueries: boolean) =>
      `${format}: subjects ${String(subjects)}, pages ${String(entries)}${
        hasQueries(format, withQueries) ? `, queries ${String(queries)}` : ''
      }${hasTrail(format) ? `, lines of the trail ${String(trailLines)}` : ''}${
        notes === 0 ? '' : `; not sayable in the format at ${String(notes)} places, see ${format}/notes.csv`
      }`,
    trail:
      'The trail holds every line about the chosen pages, deleted ones too; lines about no page (subjects, visits, the project) are not in the file.',
    why: { identifier: 'identifies a person', text: 'free text', file: 'file' },
  },
} as const satisfies Readonly<Record<Language, object>>

/** Of the formats of casebooks, ODM has queries, and paper where it was to have them. */
function hasQueries(format: WrittenCasebooks['format'], withQueries: boolean): boolean {
  return format.startsWith('odm-') || (withQueries && isPaperFormat(format))
}

/** @param written what was written of each format of casebooks */
export function notesText(of: Archived, written: readonly WrittenCasebooks[]): string {
  const { run, instant, totals, left, study } = of
  const said = words[run.definition.language]
  const { queries: withQueries } = printOf(run.definition)
  const found = foundOf(run.definition)
  const codes = new Map(study.pages.map(({ pageId, code }) => [pageId, code]))
  const lines = [
    said.title(run.name),
    '',
    `${said.project}: ${of.projectName}`,
    `${said.taken}: ${studyTime(of.at) ?? ''}`,
    `${said.position}: ${String(instant.seq)} (${instant.head})`,
    `${said.by}: ${of.askedByName}`,
    ...(of.approvedByName === null ? [] : [`${said.approver}: ${of.approvedByName}`]),
    `${said.purpose}: ${run.purpose}`,
    ...(run.crossBorder === null ? [] : [`${said.abroad}: ${run.crossBorder}`]),
    ...(found === null ? [] : [`${said.found}: ${found.name}`]),
    `${said.subjects}: ${String(totals.subjects)}`,
    `${said.entries}: ${String(totals.entries)}`,
    `${said.conflicts}: ${String(totals.conflicts)}`,
    '',
    run.identified ? said.identified : said.deidentified,
    ...(written.length === 0
      ? []
      : ['', said.casebooks, ...written.map((one) => `- ${said.counts(one, withQueries)}`)]),
    ...(written.some(({ format }) => hasTrail(format)) ? [said.trail] : []),
    ...(left.length === 0 ? [] : ['', `${said.leftOut}:`]),
    ...left.map(({ pageId, table, code, label, why }) => {
      const field = table === null ? code : `${table}.${code}`
      return `- ${codes.get(pageId) ?? ''}.${field} ${label} (${said.why[why]})`
    }),
  ]
  return `${lines.join('\r\n')}\r\n`
}

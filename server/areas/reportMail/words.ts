import type { Report } from '#core/api/calls/data/report.ts'
import type { Language } from '#core/language.ts'
import { REPORTS, shareOf } from '#core/report/kinds.ts'
import type { Figures } from '#core/report/kinds.ts'
import type { Period } from '#core/report/rhythm.ts'
import { reportWords as en } from '#core/report/words.en.ts'
import type { ReportWords } from '#core/report/words.ts'
import { reportWords as zh } from '#core/report/words.zh.ts'
import { escapeHtml } from '#core/statistics/tableOne/writeTable.ts'
import { studyName } from '#core/study/studyName.ts'

/**
 * What a report by e-mail says. It crosses mail servers, and its subject lies on lock screens: the subject names
 * nothing, and the text has figures of centers only. What people wrote, as reasons for withdrawal, is not in it: it
 * may tell who somebody is.
 */

export interface ReportMail {
  readonly subject: string
  readonly content: string
  readonly html: string
}

export interface ToldReport {
  readonly projectName: string
  /** Null where the report is of all centers that its reader sees. */
  readonly centerName: string | null
  readonly report: Report
  /** Null where it tells how things stand. */
  readonly period: Period | null
  /** On the study's clock. */
  readonly day: string
  /** Where it is read in the app; null where the server does not know its own address. */
  readonly address: string | null
}

interface Words {
  readonly subject: string
  readonly seen: string
  readonly total: string
  readonly line: Readonly<Record<'centers' | 'people', string>>
  readonly stand: (day: string) => string
  readonly period: (from: string, to: string) => string
  /** Where nothing is counted, as all of it comes from a form. */
  readonly untold: Readonly<Record<NonNullable<Report['untold']>, string>>
  /** Where a part is not counted, as that part comes from a form. */
  readonly partly: Readonly<Record<NonNullable<Report['untold']>, string>>
  readonly nothing: string
  readonly open: (address: string | null) => string
  readonly why: string
  readonly colon: string
}

const WORDS: Readonly<Record<Language, Words>> = {
  zh: {
    subject: '证录：您的定时报表已生成',
    seen: '全部中心（您有权查看的）',
    total: '合计',
    line: { centers: '研究中心', people: '人员' },
    stand: (day) => `截至 ${day} 的情况`,
    period: (from, to) => (from === to ? `统计时间：${from}` : `统计时间：${from} 至 ${to}`),
    untold: {
      noForm: '本研究的正式版中未识别出不良事件表单，因此无法统计，并不表示没有不良事件。',
      masked: '不良事件名称属于可识别身份的信息，您没有查看权限，因此不统计。',
    },
    partly: {
      noForm: '未识别出方案偏离表单，中心登记的偏离无法统计，只统计了访视，并不表示没有其他偏离。',
      masked: '偏离描述属于可识别身份的信息，您没有查看权限，中心登记的偏离不统计，只统计了访视。',
    },
    nothing: '还没有可统计的内容。',
    open: (address) => (address === null ? '请登录证录查看详情。' : `登录查看详情：${address}`),
    why: '此邮件按您的设置定时发送，只含汇总数字，不含受试者信息。可在“报表”的“定时发送”中更改或停止。',
    colon: '：',
  },
  en: {
    subject: 'Zhenglu: your scheduled report is here',
    seen: 'All centers that you may see',
    total: 'Total',
    line: { centers: 'Center', people: 'Person' },
    stand: (day) => `As of ${day}`,
    period: (from, to) => (from === to ? `Period: ${from}` : `Period: ${from} to ${to}`),
    untold: {
      noForm:
        'No adverse event form is recognised in the releases of this study. Nothing can be counted, which does not mean that there were no events.',
      masked: 'The term of the adverse event identifies a person, and you may not see it. So nothing is counted.',
    },
    partly: {
      noForm:
        'No deviation form is recognised in the releases of this study. Only visits are counted, which does not mean that there were no other deviations.',
      masked:
        'The description of a deviation identifies a person, and you may not see it. Recorded deviations are not counted, only visits are.',
    },
    nothing: 'Nothing to count yet.',
    open: (address) =>
      address === null ? 'Please sign in to Zhenglu to see more.' : `Sign in to see more: ${address}`,
    why: 'This e-mail is sent as you scheduled it. It has sums only, and nothing about any subject. You can change or end it under “Reports”, “Send by schedule”.',
    colon: ': ',
  },
}

const NAMES: Readonly<Record<Language, ReportWords>> = { zh, en }

/** The e-mail of a report, in its reader's language. */
export function wordReport(told: ToldReport, language: Language): ReportMail {
  const words = WORDS[language]
  const head = [
    studyName(told.projectName, language),
    NAMES[language].kinds[told.report.kind],
    told.centerName ?? words.seen,
    told.period === null ? words.stand(told.day) : words.period(told.period.from, told.period.to),
  ]
  const table = tableOf(told.report, language)
  const { untold } = told.report
  const isPart = untold !== null && typeof table !== 'string'
  const foot = [...(isPart ? [words.partly[untold]] : []), words.open(told.address), words.why]
  return {
    subject: words.subject,
    content: [...head, '', ...textOf(table, words), '', ...foot, ''].join('\n'),
    html: htmlOf(head, table, foot),
  }
}

/** The figures line by line, or why there are none. */
type Table = { readonly header: readonly string[]; readonly lines: readonly (readonly string[])[] } | string

function tableOf({ kind, lines, total, untold }: Report, language: Language): Table {
  const words = WORDS[language]
  if (lines.length === 0) return untold === null ? words.nothing : words.untold[untold]
  const { measures, shares, lines: of } = REPORTS[kind]
  const names = NAMES[language]
  const cells = (figures: Figures): readonly string[] => [
    ...measures.map(({ code }) => wordFigure(figures[code] ?? null)),
    ...shares.map((share) => {
      const value = shareOf(share, figures)
      return `${wordFigure(value)}${share.kind === 'percent' && value !== null ? '%' : ''}`
    }),
  ]
  return {
    header: [
      words.line[of],
      ...measures.map(({ code }) => names.measures[code]),
      ...shares.map(({ code }) => names.shares[code]),
    ],
    lines: [
      ...lines.map(({ name, figures }) => [name, ...cells(figures)]),
      ...(lines.length > 1 ? [[words.total, ...cells(total)]] : []),
    ],
  }
}

function wordFigure(value: number | null): string {
  return value === null ? '–' : value.toLocaleString('en-US', { maximumFractionDigits: 1 })
}

/** A table in a line of text is too wide for a phone: one figure a line. */
function textOf(table: Table, { colon }: Words): readonly string[] {
  if (typeof table === 'string') return [table]
  const [, ...names] = table.header
  return table.lines.flatMap(([name = '', ...cells], at) => [
    ...(at === 0 ? [] : ['']),
    name,
    ...names.map((of, column) => `  · ${of}${colon}${cells[column] ?? ''}`),
  ])
}

/** Readers of e-mail know no style sheets: each cell says how it looks. */
const CELL = 'border:1px solid #ccc;padding:4px 10px'

function htmlOf(head: readonly string[], table: Table, foot: readonly string[]): string {
  const [study = '', report = '', ...about] = head
  return [
    '<!doctype html><html><head><meta charset="utf-8"></head><body style="font-family:sans-serif;font-size:14px">',
    `<p style="margin:0">${escapeHtml(study)}</p><h1 style="font-size:18px;margin:4px 0">${escapeHtml(report)}</h1>`,
    ...about.map((line) => `<p style="margin:0">${escapeHtml(line)}</p>`),
    typeof table === 'string' ? `<p>${escapeHtml(table)}</p>` : htmlTable(table),
    ...foot.map((line) => `<p style="margin:4px 0">${withLink(line)}</p>`),
    '</body></html>',
  ].join('\n')
}

function htmlTable({ header, lines }: Exclude<Table, string>): string {
  const row = (cells: readonly string[], tag: 'td' | 'th') =>
    `<tr>${cells.map((cell, at) => `<${tag} style="${CELL};text-align:${at === 0 ? 'left' : 'right'}">${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
  return `<table style="border-collapse:collapse;margin:12px 0">${row(header, 'th')}${lines.map((line) => row(line, 'td')).join('')}</table>`
}

function withLink(line: string): string {
  return escapeHtml(line).replace(/https?:\/\/\S+$/, (address) => `<a href="${address}">${address}</a>`)
}

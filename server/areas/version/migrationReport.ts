import type { MigrationReport } from '#core/api/calls.version.ts'
import type { ErrorCode } from '#core/api/errors.ts'
import { errorMessages } from '#core/api/messages.ts'
import type { Language } from '#core/api/messages.ts'
import { MASK } from '#core/form/mask.ts'
import type { Field } from '#core/form/page.ts'
import { valueText } from '#core/form/value.ts'
import { isAnsweredByChoice } from '#core/study/choiceFate.ts'
import { rowsOf } from '#core/sync/merge.ts'
import { wordsOf } from '#core/study/retiredWords.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import type { MovedEntry } from '#server/areas/entry/migrate.ts'
import { fieldAt } from '#server/areas/entry/pages.ts'
import type { PageStep } from '#server/areas/entry/migrationSteps.ts'
import type { Aside } from '#server/areas/version/migrationStore.ts'

/** What a migration makes of one patient, for a dry run and for the log. */

export type ReportedItem = MigrationReport['items'][number]
export type Counts = MigrationReport['counts']

export const NOTHING_COUNTED: Counts = { mapped: 0, converted: 0, retired: 0, unconverted: 0, archived: 0 }

export interface PagePart {
  readonly counts: Counts
  readonly items: readonly ReportedItem[]
}

/** Where a page stands, in words. */
export interface PageNames {
  readonly folderName: string
  readonly pageName: string
}

/**
 * What steps made of one entry.
 *
 * @param sensitive whether the reader may see what identifies a patient
 */
export function reportEntry(names: PageNames, result: MovedEntry, steps: readonly PageStep[], sensitive: boolean): PagePart {
  const fieldsBefore = steps.flatMap(({ plan }) => plan.fields.flatMap((one) => (one.kind === 'new' ? [] : [one.from])))
  const fieldsNow = steps.toReversed().flatMap(({ plan }) => plan.fields.flatMap((one) => (one.kind === 'retired' ? [] : [one.to])))
  const lookIn = (fields: readonly Field[], table: string | null, code: string): Field | null =>
    fieldAt({ sections: [], fields, byProp: new Map(fields.toReversed().map((field) => [field.prop, field])) }, table, code)
  const says = (field: Field | null, content: ItemContent) => {
    const words = wordsOf(field, content.value)
    return identifies(field) && !sensitive ? MASK : words === '' && content.missing !== null ? content.missing.m : words
  }
  const label = (fields: readonly Field[], table: string | null, code: string) => ({
    label: lookIn(fields, table, code)?.label ?? code,
    tableLabel: table === null ? null : (lookIn(fields, null, table)?.label ?? table),
  })
  const items: ReportedItem[] = [
    ...result.moved.map(({ from, to, old, now }): ReportedItem => {
      const [before, after] = [lookIn(fieldsBefore, from.table, from.code), lookIn(fieldsNow, to.table, to.code)]
      const named = label(fieldsBefore, from.table, from.code)
      const renamed = from.code === to.code ? named : { ...named, label: `${named.label} (${from.code} → ${to.code})` }
      return { kind: 'converted', ...names, ...renamed, value: withCode(before, old, says(before, old)), to: withCode(after, now, says(after, now)) }
    }),
    ...result.retired.map(({ table, code, content, field, tableField }): ReportedItem => {
      return { kind: 'retired', ...names, label: field?.label ?? code, tableLabel: table === null ? null : (tableField?.label ?? table), value: says(field, content), to: null }
    }),
    ...result.unconverted.map(({ table, code, content, field }): ReportedItem => ({ kind: 'unconverted', ...names, ...label(fieldsNow, table, code), label: field.label, value: says(field, content), to: null })),
  ]
  const [converted, retired, unconverted] = [result.moved.length, result.retired.length, result.unconverted.length]
  const stands = countItems(result.entry.values) - converted - unconverted
  return { counts: { mapped: Math.max(0, stands), converted, retired, unconverted, archived: 0 }, items }
}

/** Words of a choice with the code that stands for them: a conversion often changes nothing but that. */
function withCode(field: Field | null, { value }: ItemContent, said: string): string {
  const code = valueText(value)
  return field === null || !isAnsweredByChoice(field) || said === MASK || code === said ? said : `${said} (${code})`
}

function identifies(field: Field | null): boolean {
  return field !== null && (field.identifier || field.children.some(identifies))
}

/** A part without what was entered, for whoever may not see it: that something is retired is theirs to know, what it says is not. */
export function withoutValues({ counts, items }: PagePart): PagePart {
  return { counts, items: items.map((item) => (item.kind === 'archived' ? item : { ...item, value: MASK, to: item.to === null ? null : MASK })) }
}

/** A page that the new version does not have: what was entered there stays with the version that it was entered under. */
export function reportArchived(names: PageNames, values: Readonly<Record<string, ItemContent['value']>>): PagePart {
  const item: ReportedItem = { kind: 'archived', ...names, label: '', tableLabel: null, value: String(countItems(values)), to: null }
  return { counts: { ...NOTHING_COUNTED, archived: 1 }, items: [item] }
}

export function sum(parts: readonly PagePart[]): PagePart {
  const counts = { ...NOTHING_COUNTED }
  for (const part of parts) for (const key of ['mapped', 'converted', 'retired', 'unconverted', 'archived'] as const) counts[key] += part.counts[key]
  return { counts, items: parts.flatMap(({ items }) => items) }
}

/** Values that somebody entered, those in rows each by itself. */
function countItems(values: Readonly<Record<string, ItemContent['value']>>): number {
  return Object.values(values).reduce<number>((count, value) => {
    const rows = typeof value === 'object' ? rowsOf(value) : null
    if (rows === null || rows.length === 0 || !rows.every((row) => '_rid' in row)) return count + 1
    return count + rows.reduce((inside, row) => inside + Object.keys(row).filter((code) => !code.startsWith('_')).length, 0)
  }, 0)
}

const words = {
  zh: {
    counts: ({ mapped, converted, retired, unconverted, archived }: Counts) => `保持 ${mapped}，转换 ${converted}，停用 ${retired}，未转换 ${unconverted}，归档页面 ${archived}`,
    converted: '转换', retired: '停用', unconverted: '未转换', archived: '归档', values: (count: string) => `${count} 个值`,
    failed: (why: string) => `未迁移，数据保持原版本：${why}`,
    aside: { died: '迁移已搁置：连续两次使处理进程中断。其余受试者的数据保持原版本，可在排除原因后重新开始。', failed: '迁移已搁置：连续两次在开始时失败。受试者的数据保持原版本，可在排除原因后重新开始。' },
  },
  en: {
    counts: ({ mapped, converted, retired, unconverted, archived }: Counts) => `kept ${mapped}, converted ${converted}, retired ${retired}, not converted ${unconverted}, archived pages ${archived}`,
    converted: 'converted', retired: 'retired', unconverted: 'not converted', archived: 'archived', values: (count: string) => `${count} values`,
    failed: (why: string) => `not migrated, the data stay with their version: ${why}`,
    aside: { died: 'The migration was set aside: twice in a row it ended the process that ran it. The data of the others stay with their version; it can be started again by hand once the cause is gone.', failed: 'The migration was set aside: twice in a row it failed as it began. The data stay with their version; it can be started again by hand once the cause is gone.' },
  },
} as const satisfies Readonly<Record<Language, object>>

/** The lines of a patient in the log: one that says how much, then one for everything that does not stand as it was. */
export function logOf(language: Language, patient: string, { counts, items }: PagePart): string {
  const said = words[language]
  return [`${patient}\t${said.counts(counts)}`, ...items.map((item) => `${patient}\t${line(said, item)}`)].join('\n')
}

/** The line of a patient who was not brought along, with the reason in words and by its code. */
export function failedLog(language: Language, patient: string, code: ErrorCode): string {
  return `${patient}\t${words[language].failed(`${errorMessages[language][code]} (${code})`)}`
}

/** Why a task was set aside. It tells of no patient. */
export function asideLog(language: Language, why: Aside): string {
  return words[language].aside[why]
}

function line(said: (typeof words)[Language], { kind, folderName, pageName, label, tableLabel, value, to }: ReportedItem): string {
  const place = [folderName, pageName, tableLabel, label].filter((part) => part !== null && part !== '').map((part) => oneLine(part ?? '')).join(' / ')
  const what = kind === 'archived' ? said.values(value) : `${oneLine(value)}${to === null ? '' : ` → ${oneLine(to)}`}`
  return `${said[kind]}\t${place}\t${what}`
}

/** A log for whoever may not see what was entered in every center: the last column of its lines is masked. */
export function logWithoutValues(log: string): string {
  return log.split('\n').map((text) => text.replace(/^([^\t]*\t[^\t]*\t[^\t]*\t).*$/, `$1${MASK}`)).join('\n')
}

/** A line of a log is one: what a person typed has no say in where it ends. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

import type { ErrorCode } from '#core/api/errors.ts'
import { errorMessages } from '#core/api/messages.ts'
import type { Language } from '#core/language.ts'
import { inLanguage, pageNameIn, visitNameIn } from '#core/form/definition/inLanguage.ts'
import { MASK } from '#core/form/definition/mask.ts'
import { totalOf } from './migrationReport.ts'
import type { Counts, LoggedTurn, PagePart, ReportedItem } from './migrationReport.ts'
import type { Aside, TaskState } from './migrationStore.ts'

/** The log of a migration in the reader's language: its facts, then what became of each patient. */

const words = {
  zh: {
    title: '数据迁移日志',
    version: '版本',
    by: '发布人',
    begun: '开始',
    ended: '结束',
    patients: '受试者',
    total: '合计',
    moved: (done: number, failed: number) => `已迁移 ${done}，未迁移 ${failed}`,
    counts: ({ mapped, converted, retired, unconverted, archived, asks, ends }: Counts) =>
      `保持 ${mapped}，转换 ${converted}，停用 ${retired}，未转换 ${unconverted}，归档页面 ${archived}，提出质疑 ${asks}，关闭质疑 ${ends}`,
    converted: '转换',
    retired: '停用',
    unconverted: '未转换',
    archived: '归档',
    values: (count: string) => `${count} 个值`,
    failed: (why: string) => `未迁移，数据保持原版本：${why}`,
    aside: {
      died: '迁移已中止：连续两次使处理进程中断。其余受试者的数据保持原版本，可在排除原因后重新开始。',
      failed: '迁移已中止：连续两次在开始时失败。受试者的数据保持原版本，可在排除原因后重新开始。',
    },
  },
  en: {
    title: 'Data migration log',
    version: 'Version',
    by: 'Released by',
    begun: 'Begun',
    ended: 'Ended',
    patients: 'Subjects',
    total: 'In all',
    moved: (done: number, failed: number) => `migrated ${done}, not migrated ${failed}`,
    counts: ({ mapped, converted, retired, unconverted, archived, asks, ends }: Counts) =>
      `kept ${mapped}, converted ${converted}, retired ${retired}, not converted ${unconverted}, archived pages ${archived}, queries raised ${asks}, queries closed ${ends}`,
    converted: 'converted',
    retired: 'retired',
    unconverted: 'not converted',
    archived: 'archived',
    values: (count: string) => `${count} values`,
    failed: (why: string) => `not migrated, the data stay with their version: ${why}`,
    aside: {
      died: 'The migration was stopped: twice in a row it ended the process that ran it. The data of the others stay with their version; it can be started again by hand once the cause is gone.',
      failed:
        'The migration was stopped: twice in a row it failed as it began. The data stay with their version; it can be started again by hand once the cause is gone.',
    },
  },
} as const satisfies Readonly<Record<Language, object>>

/** The lines of a patient in the log: first one with the counts, then one for each value that changed. */
export function logOf(language: Language, patient: string, { counts, items }: PagePart): string {
  const said = words[language]
  return [
    `${patient}\t${said.counts(totalOf([counts]))}`,
    ...items.map((item) => `${patient}\t${line(language, item)}`),
  ].join('\n')
}

/** The line of a patient who was not migrated, with the reason in words and as a code. */
export function failedLog(language: Language, patient: string, code: ErrorCode): string {
  return `${patient}\t${words[language].failed(`${errorMessages[language][code]} (${code})`)}`
}

/** Why a task was set aside. It names no patient. */
export function asideLog(language: Language, why: Aside): string {
  return words[language].aside[why]
}

function line(language: Language, item: ReportedItem): string {
  const said = words[language]
  const { kind, label, labelEn, tableLabel, tableLabelEn, value, to } = item
  const place = [
    visitNameIn(language, item),
    pageNameIn(language, item),
    inLanguage(language, tableLabel, tableLabelEn),
    inLanguage(language, label, labelEn),
  ]
    .filter((part) => part !== null && part !== '')
    .map((part) => oneLine(part ?? ''))
    .join(' / ')
  const what = kind === 'archived' ? said.values(value) : `${oneLine(value)}${to === null ? '' : ` → ${oneLine(to)}`}`
  return `${said[kind]}\t${place}\t${what}`
}

/** A log for a reader who may not see the data of every center: the last column of its lines is masked. */
export function logWithoutValues(log: string): string {
  return log
    .split('\n')
    .map((text) => text.replace(/^([^\t]*\t[^\t]*\t[^\t]*\t).*$/, `$1${MASK}`))
    .join('\n')
}

/** One line of text: what a person typed must not break it into two. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

/**
 * The whole log of a task.
 *
 * @param seesAll whether the reader may see the data of every center
 */
export function migrationLog(
  language: Language,
  task: TaskState,
  turns: readonly LoggedTurn[],
  seesAll: boolean,
): string {
  const said = words[language]
  const failed = turns.filter(({ state }) => state === 'failed').length
  const header = [
    said.title,
    `${said.version}\t${task.fromNo === null ? '' : `V${String(task.fromNo)}.0 → `}V${String(task.versionNo)}.0`,
    `${said.by}\t${oneLine(task.startedByName)}`,
    `${said.begun}\t${timeText(task.startedAt)}`,
    ...(task.endedAt === null ? [] : [`${said.ended}\t${timeText(task.endedAt)}`]),
    `${said.patients}\t${said.moved(turns.length - failed, failed)}`,
    `${said.total}\t${said.counts(totalOf(countsOf(turns)))}`,
  ]
  const lines = turns.map((turn) => turnText(language, turn)).join('\n')
  return `${header.join('\n')}\n\n${seesAll ? lines : logWithoutValues(lines)}`
}

function countsOf(turns: readonly LoggedTurn[]): readonly PagePart['counts'][] {
  return turns.flatMap(({ part }) => (part === null || 'failed' in part ? [] : [part.counts]))
}

function turnText(language: Language, { patient, log, part }: LoggedTurn): string {
  if (part === null) return log
  return 'failed' in part ? failedLog(language, patient, part.failed) : logOf(language, patient, part)
}

function timeText(instant: string): string {
  return `${instant.slice(0, 19).replace('T', ' ')} UTC`
}

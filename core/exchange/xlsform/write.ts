import type { StudyDefinition } from '#core/exchange/definition.ts'
import type { NotWritten } from '#core/exchange/notWritten.ts'
import { escapedText } from '#core/exchange/redcap/text.ts'
import { writeXlsx } from '#core/exchange/sheet/writeXlsx.ts'
import type { Column, ColumnGroup, PageOption } from '#core/form/definition/column.ts'

import { WrittenLists } from './writeLists.ts'
import { WrittenNames, columnsOf } from './writeNames.ts'
import { questionCells } from './writeQuestion.ts'
import type { Lose, WritingPlace } from './writingPlace.ts'

/**
 * Writes a study as an XLSForm (.xlsx). What XLSForm has no word for is left out and named, never guessed. A study of
 * several pages has a group for each, marked in a column of ours, which other programs pass over.
 */

export interface WrittenXlsForm {
  readonly bytes: Uint8Array
  readonly notWritten: readonly NotWritten[]
}

type Cells = Readonly<Record<string, string>>

const CHINESE = '::中文 (zh)'
const ENGLISH = '::English (en)'

/** Reading the bytes again gives the same pages, less what `notWritten` names. */
export function writeXlsForm({ pages, folders }: Pick<StudyDefinition, 'pages' | 'folders'>): WrittenXlsForm {
  const notWritten: NotWritten[] = []
  const isBilingual = pages.some(
    ({ pageNameEn, option }) => pageNameEn !== undefined || /"(?:en|labelEn|noteEn)":/.test(JSON.stringify(option)),
  )
  const lists = new WrittenLists()
  const spaced = codesWithBlanks(pages)
  const names = new WrittenNames(pages)
  const [only, ...others] = pages
  const survey = pages.flatMap(({ pageCode, pageName, pageNameEn, option }) => {
    for (const [what, text] of Object.entries(settingsLost(option)))
      notWritten.push({ page: pageCode, field: '', what, text })
    const rows = pageRows(option, {
      page: pageCode,
      names,
      lists,
      spaced,
      isBilingual,
      lose: (field, what, text) => notWritten.push({ page: pageCode, field, what, text }),
    })
    return others.length === 0
      ? rows
      : [
          {
            type: 'begin_group',
            name: names.group(pageCode),
            ...(names.group(pageCode) === pageCode ? {} : { zl_code: pageCode }),
            [`label${isBilingual ? CHINESE : ''}`]: escapedText(pageName),
            ...englishLabel(pageNameEn),
            zl_page: 'yes',
          },
          ...rows,
          { type: 'end_group' },
        ]
  })
  // The title of a form is in one language.
  if (others.length === 0 && only?.pageNameEn !== undefined)
    notWritten.push({ page: only.pageCode, field: '', what: 'pageNameEn', text: only.pageNameEn })
  for (const { pageCode, repeatable } of pages)
    if (repeatable === true) notWritten.push({ page: pageCode, field: '', what: 'repeatable', text: 'true' })
  for (const folder of folders)
    notWritten.push({ page: '', field: folder.folderCode, what: 'visit', text: JSON.stringify(folder) })
  // Choices that follow another answer may have one code several times.
  const duplicates: Cells = lists.hasDuplicates ? { allow_choice_duplicates: 'yes' } : {}
  const settings: Cells = {
    ...duplicates,
    form_title: others.length === 0 ? (only?.pageName ?? '') : 'study',
    form_id: others.length === 0 ? (only?.pageCode ?? 'study') : 'study',
  }
  const choices = lists.rows(`label${isBilingual ? CHINESE : ''}`)
  const head = [
    'type',
    'name',
    ...(isBilingual ? [`label${CHINESE}`, `label${ENGLISH}`] : ['label']),
    ...(isBilingual ? [`hint${CHINESE}`, `hint${ENGLISH}`] : ['hint']),
    'relevant',
    'required',
    'constraint',
    'calculation',
    'appearance',
  ]
  const bytes = writeXlsx([
    { name: 'survey', rows: makeTable(head, survey) },
    { name: 'choices', rows: makeTable(['list_name', 'name', isBilingual ? `label${CHINESE}` : 'label'], choices) },
    { name: 'settings', rows: makeTable(['form_title', 'form_id'], [settings]) },
  ])
  return { bytes, notWritten }
}

/** Rows under one header: the first columns in their order, then all others as they come. */
function makeTable(head: readonly string[], rows: readonly Cells[]): readonly (readonly string[])[] {
  const titles = [...new Set([...head, ...rows.flatMap((row) => Object.keys(row))])]
  return [titles, ...rows.map((row) => titles.map((title) => row[title] ?? ''))]
}

interface PageWriting {
  readonly page: string
  readonly names: WrittenNames
  readonly lists: WrittenLists
  readonly spaced: ReadonlySet<string>
  readonly isBilingual: boolean
  readonly lose: (field: string, what: string, text: string) => void
}

/** How a page looks is its own designer's; attachments and lists of other servers have no word there. */
function settingsLost({ zl = {} }: PageOption): Readonly<Record<string, string>> {
  const { lists = {}, ...rest } = zl
  const foreign = Object.keys(lists).filter((key) => !/(^|>)xlsform:/.test(key))
  return {
    ...(Object.keys(rest).length === 0 ? {} : { settings: JSON.stringify(rest) }),
    ...(foreign.length === 0 ? {} : { lists: foreign.join(', ') }),
  }
}

function pageRows(option: PageOption, writing: PageWriting): readonly Cells[] {
  const rows = (columns: readonly Column[]) => columns.flatMap((column) => fieldRows(column, '', option, writing))
  const section = ({ label, labelEn, prop, column }: ColumnGroup): readonly Cells[] => [
    {
      type: 'begin_group',
      name: writing.names.group(writing.page, prop),
      ...(writing.names.group(writing.page, prop) === prop ? {} : { zl_code: prop }),
      [labelTitle(writing)]: escapedText(label),
      ...englishLabel(labelEn),
    },
    ...rows(column),
    { type: 'end_group' },
  ]
  return [...rows(option.column), ...(option.group ?? []).flatMap(section)]
}

function fieldRows(column: Column, table: string, option: PageOption, writing: PageWriting): readonly Cells[] {
  const { page, names, lists, spaced, isBilingual } = writing
  const lose: Lose = (what, text) => writing.lose(table === '' ? column.prop : `${table}.${column.prop}`, what, text)
  const name = names.name(page, table, column.prop) ?? column.prop
  const among =
    table === '' ? columnsOf(option) : (columnsOf(option).find(({ prop }) => prop === table)?.children?.column ?? [])
  const place: WritingPlace = {
    names: names.seenFrom(page, table),
    own: table === '' ? `rc.${column.prop}` : `(has(row.${column.prop}) ? dyn(row.${column.prop}) : dyn(""))`,
    name,
    lists,
    spaced,
    stored: option.zl?.lists ?? {},
    among,
    titles: { label: labelTitle(writing), english: ENGLISH, chinese: isBilingual ? CHINESE : '' },
  }
  const cells = { ...questionCells(column, place, lose), ...(name === column.prop ? {} : { zl_code: column.prop }) }
  if (column.type !== 'dynamic') return [cells]
  const children = (column.children?.column ?? []).filter((child) => {
    if (child.type === 'dynamic') lose('table', JSON.stringify(child))
    return child.type !== 'dynamic'
  })
  return [cells, ...children.flatMap((child) => fieldRows(child, column.prop, option, writing)), { type: 'end_repeat' }]
}

/** Codes of choices that no form takes, as several answers are parted by blanks there. */
function codesWithBlanks(pages: readonly StudyDefinition['pages'][number][]): ReadonlySet<string> {
  const all = pages
    .flatMap(({ option }) => columnsOf(option))
    .flatMap((column) => [column, ...(column.children?.column ?? [])])
  return new Set(
    all.flatMap(({ dicData = [] }) => dicData.map(({ value }) => String(value)).filter((value) => /\s/.test(value))),
  )
}

function englishLabel(english: string | undefined): Cells {
  return english === undefined ? {} : { [`label${ENGLISH}`]: escapedText(english) }
}

function labelTitle({ isBilingual }: Pick<PageWriting, 'isBilingual'>): string {
  return `label${isBilingual ? CHINESE : ''}`
}

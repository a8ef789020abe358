import { definitionOf } from '#core/exchange/ofVersion.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import { holdsData, isTable, readPage } from '#core/form/definition/page.ts'
import { isEmptyValue } from '#core/sync/emptyValue.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'

import type { RedcapColumn, RedcapLayout } from './redcapColumns.ts'
import { namesOfColumn, redcapLayout, takesData } from './redcapColumns.ts'
import { redcapCells } from './redcapValue.ts'
import { rowsNow } from '#core/exchange/clinical/rowsNow.ts'
import type {
  ClinicalNoteKind,
  ClinicalPage,
  ClinicalSubject,
  ClinicalVersion,
  TellNote,
} from '#core/exchange/clinical/subject.ts'

/**
 * Data of subjects as REDCap's data import file: a line for each record and event, and one for each repeat of a visit
 * or of a page. It fits the data dictionary that is written with it, and a project whose events have the unique names
 * that `redcapEvents` says.
 */

export interface RedcapRecords {
  /** The data dictionary of the project (CSV). */
  readonly dictionary: string
  /** The events of the project and their forms, as REDCap's own two files for them (CSV). */
  readonly events: string
  readonly eventForms: string
  /** The lines of the data (CSV, UTF-8), the header first. */
  readonly lines: AsyncIterable<string>
}

/**
 * Writes data as one version defines them: a project of REDCap has one dictionary.
 *
 * @param subjects pages in the order in which they were made: repeats are numbered in it, from 1
 * @param tell told of everything that the file does not hold, or holds as a text, by its place
 */
export function writeRedcapRecords(
  version: ClinicalVersion,
  subjects: AsyncIterable<ClinicalSubject>,
  tell: TellNote,
): RedcapRecords {
  const { definition } = definitionOf(version)
  const layout = redcapLayout(definition.pages)
  const events = redcapEvents(version)
  const eventRows = [...events].map(([, name]) => [name.label, '1', name.unique])
  const formRows = version.folders.flatMap((folder) =>
    folder.pages.map(({ pageCode }) => ['1', events.get(folder.id)?.unique ?? '', pageCode.toLowerCase()]),
  )
  return {
    dictionary: layout.dictionary,
    events: csvLines([['event_name', 'arm_num', 'unique_event_name'], ...eventRows]),
    eventForms: csvLines([['arm_num', 'unique_event_name', 'form'], ...formRows]),
    lines: recordLines(new RecordWriter(version, layout, tell), subjects),
  }
}

async function* recordLines(writer: RecordWriter, subjects: AsyncIterable<ClinicalSubject>): AsyncIterable<string> {
  yield csvLines([writer.header])
  for await (const subject of subjects) {
    const lines = writer.write(subject)
    if (lines.length > 0) yield csvLines(lines)
  }
}

/** What REDCap calls an event: the name that a person gives it, and the unique one that it makes of that. */
export interface RedcapEvent {
  readonly label: string
  readonly unique: string
}

/** REDCap takes eighteen characters of a name for its unique one. */
const MAX_EVENT_NAME = 18

/** The events that the visits of a version are, by id of the folder. */
export function redcapEvents({ folders }: Pick<ClinicalVersion, 'folders'>): ReadonlyMap<string, RedcapEvent> {
  const taken = new Set<string>()
  return new Map(
    folders.map(({ id, folderCode }) => {
      // A study of REDCap has the unique names as codes.
      const plain = folderCode.toLowerCase().replace(/_arm_\d+$/, '')
      const cut = (more: string) => `${plain.slice(0, MAX_EVENT_NAME - more.length)}${more}`
      let label = cut('')
      for (let at = 2; taken.has(label); at += 1) label = cut(`_${at}`)
      taken.add(label)
      return [id, { label, unique: `${label}_arm_1` }] as const
    }),
  )
}

type Line = Map<string, string>

/** Columns that say which line it is. */
const EVENT = 'redcap_event_name'
const INSTRUMENT = 'redcap_repeat_instrument'
const INSTANCE = 'redcap_repeat_instance'

class RecordWriter {
  readonly header: readonly string[]
  readonly #version: ClinicalVersion
  readonly #layout: RedcapLayout
  readonly #events: ReadonlyMap<string, RedcapEvent>
  readonly #models: ReadonlyMap<string, { readonly code: string; readonly model: PageModel; readonly repeats: boolean }>
  readonly #tell: TellNote

  constructor(version: ClinicalVersion, layout: RedcapLayout, tell: TellNote) {
    this.#version = version
    this.#layout = layout
    this.#tell = tell
    this.#events = redcapEvents(version)
    const { definition } = definitionOf(version)
    const models = new Map(
      definition.pages.flatMap(({ pageCode, option }) => {
        const read = readPage(option)
        return read.ok ? [[pageCode, read.page] as const] : []
      }),
    )
    this.#models = new Map(
      version.folders
        .flatMap(({ pages }) => pages)
        .flatMap(({ id, pageCode, repeatable }) => {
          const model = models.get(pageCode)
          return model === undefined ? [] : [[id, { code: pageCode, model, repeats: repeatable }] as const]
        }),
    )
    this.header = [
      ...new Set([
        layout.recordField,
        ...(this.#isLongitudinal ? [EVENT] : []),
        INSTRUMENT,
        INSTANCE,
        ...[...layout.forms].flatMap(([page, form]) => [
          ...layout.columns.filter((column) => column.page === page && takesData(column)).flatMap(namesOfColumn),
          `${form}_complete`,
        ]),
      ]),
    ]
  }

  /** One event is a project without any. */
  get #isLongitudinal(): boolean {
    return this.#version.folders.length > 1
  }

  /** The lines of a subject, in the order of the visits. A subject without data has one that names it. */
  write(subject: ClinicalSubject): readonly (readonly string[])[] {
    const lines = new Map<string, Line>()
    const visits = new Numbers()
    const repeats = new Numbers()
    for (const page of subject.pages) {
      if (page.deleted) continue
      const known = this.#models.get(page.pageId)
      const event = this.#events.get(page.folderId)
      const told = this.#noteOf(subject, page, known?.code ?? '')
      if (known === undefined || event === undefined) told(known === undefined ? 'no-page' : 'no-visit')
      // The second pass of double entry is no data of its own, and has no place in an import.
      else if (page.pass === 2) told('no-column')
      else {
        const at = this.#place(page, known, visits, repeats)
        if (at === null) told('no-column')
        else this.#fill(lineOf(lines, subject.key, event, at, this.#layout.recordField), page, known, told)
      }
    }
    if (lines.size === 0) lines.set('', new Map([[this.#layout.recordField, subject.key], ...this.#firstEvent()]))
    return [...lines.values()].map((line) => this.header.map((name) => line.get(name) ?? ''))
  }

  /**
   * Which repeat of a visit or of a page it is; null for one of a page that repeats within a visit that does, which
   * REDCap has not.
   */
  #place(
    page: ClinicalPage,
    { code, repeats: isRepeating }: { readonly code: string; readonly repeats: boolean },
    visits: Numbers,
    repeats: Numbers,
  ): RepeatPlace | null {
    const { schedule } = this.#version.folders.find(({ id }) => id === page.folderId) ?? {}
    const visitRepeats = schedule?.kind === 'unscheduled' || (schedule?.kind === 'planned' && schedule.repeating)
    const form = this.#layout.forms.get(code) ?? ''
    const repeat = [page.pageRepeat, page.parentEntryId ?? ''].join(' ')
    const instance = repeats.of(`${page.folderId} ${page.folderRepeat} ${page.pageId}`, repeat)
    if (visitRepeats || page.folderRepeat !== '0')
      return instance > 1 ? null : { instrument: '', instance: visits.of(page.folderId, page.folderRepeat) }
    return isRepeating || instance > 1 ? { instrument: form, instance } : { instrument: '', instance: null }
  }

  #fill(
    line: Line,
    page: ClinicalPage,
    { code, model }: { readonly code: string; readonly model: PageModel },
    tell: (what: ClinicalNoteKind, field?: string) => void,
  ): void {
    const form = this.#layout.forms.get(code) ?? ''
    const columns = new Map(this.#layout.columns.filter((one) => one.page === code).map((one) => [one.field, one]))
    const hidden = new Set(page.hidden)
    for (const field of model.fields) {
      if (!holdsData(field) || hidden.has(field.code)) continue
      const column = columns.get(field.code)
      this.#field(line, page, field, column, (what) => tell(what, field.code))
    }
    for (const other of Object.keys(page.values)) if (!model.byCode.has(other)) tell('no-field', other)
    line.set(`${form}_complete`, page.status === SUBMITTED ? '2' : '0')
  }

  #field(
    line: Line,
    page: ClinicalPage,
    field: Field,
    column: RedcapColumn | undefined,
    tell: (what: ClinicalNoteKind) => void,
  ): void {
    const value = page.values[field.code]
    const missing = page.missing[field.code]
    if (value === undefined || isEmptyValue(value)) {
      // A code for missing data that the project has to know; the person's words have no place.
      if (missing === undefined) return
      const hasCell = column !== undefined && takesData(column) && column.type !== 'checkbox'
      if (hasCell) set(line, column.name, missing.m)
      if (!hasCell || missing.reason !== '') tell('no-column')
      return
    }
    if (column === undefined || !takesData(column)) return tell('no-column')
    const rows = isTable(field) ? rowsNow(page, field.code) : null
    if (rows?.length === 0) return
    const { cells, problem } = redcapCells(
      column,
      field,
      rows?.map(({ rid, order, cells: row }) => ({ _rid: rid, _ord: order, ...row })) ?? value,
    )
    // Reasons for what a row lacks are in no cell.
    if (rows?.some(({ rid }) => Object.keys(page.missing).some((one) => one.startsWith(`${rid}.`))) === true)
      tell('no-column')
    if (problem !== null) tell(problem)
    const stays = cells.every(([name, text]) => set(line, name, text))
    if (!stays) tell('no-column')
  }

  #firstEvent(): readonly (readonly [string, string])[] {
    const [first] = this.#events.values()
    return this.#isLongitudinal && first !== undefined ? [[EVENT, first.unique]] : []
  }

  #noteOf(subject: ClinicalSubject, page: ClinicalPage, code: string) {
    const folder = this.#version.folders.find(({ id }) => id === page.folderId)?.folderCode ?? ''
    return (what: ClinicalNoteKind, field: string | null = null) =>
      this.#tell({ subject: subject.key, folder, page: code, table: null, field, what })
  }
}

interface RepeatPlace {
  /** Empty where it is the visit that repeats. */
  readonly instrument: string
  readonly instance: number | null
}

function lineOf(
  lines: Map<string, Line>,
  key: string,
  event: RedcapEvent,
  { instrument, instance }: RepeatPlace,
  recordField: string,
): Line {
  const at = [event.unique, instrument, instance ?? ''].join(' ')
  const known = lines.get(at)
  if (known !== undefined) return known
  const line: Line = new Map([
    [recordField, key],
    [EVENT, event.unique],
    [INSTRUMENT, instrument],
    [INSTANCE, instance === null ? '' : String(instance)],
  ])
  lines.set(at, line)
  return line
}

/** False where something else stands there: two pages may have fields of one name, and REDCap may not. */
function set(line: Line, name: string, text: string): boolean {
  const before = line.get(name)
  if (before !== undefined && before !== text) return false
  line.set(name, text)
  return true
}

/** Numbers from 1 for what comes up, in its order. */
class Numbers {
  readonly #known = new Map<string, Map<string, number>>()

  of(within: string, what: string): number {
    const numbers = this.#known.get(within) ?? new Map<string, number>()
    this.#known.set(within, numbers)
    const number = numbers.get(what) ?? numbers.size + 1
    numbers.set(what, number)
    return number
  }
}

/** Delimited text (RFC 4180) as it is: what looks like a formula is data to REDCap. */
function csvLines(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return rows.map((row) => `${row.map(cell).join(',')}\n`).join('')
}

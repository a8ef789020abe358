import type { NotCarried, Report } from '#core/exchange/definition.ts'
import { plainText } from '#core/exchange/redcap/text.ts'
import type { FormField, FormPage, FormSection, SourceRule } from '#core/exchange/xpath/form.ts'
import { MAX_PAGE_NAME, NO_RULES, codeFor, keep, pageCode, reporter } from '#core/exchange/xpath/form.ts'
import type { StoredList } from '#core/form/definition/lists.ts'
import { isFieldCode } from '#core/form/definition/page.ts'

import type { FilteredField } from './choiceFilter.ts'
import { applyFilter } from './choiceFilter.ts'
import type { ChoiceList } from './choices.ts'
import type { Languages } from './languages.ts'
import { spokenIn } from './languages.ts'
import { questionColumn } from './question.ts'
import type { RowType } from './questionTypes.ts'
import { DEVICE_TYPES, FILE_TYPES, rowType } from './questionTypes.ts'
import { flagOf, applyFlags, rulesOf, rulesOfNote } from './rules.ts'
import type { FormRow } from './table.ts'
import { cellText } from './table.ts'

/**
 * Builds pages from the rows of a survey, one after the other: groups and repeats open and close around what stands in
 * them.
 */

interface SurveyAround {
  readonly notCarried: NotCarried[]
  readonly languages: Languages
  readonly lists: ReadonlyMap<string, ChoiceList>
  /** `form_id`; '' without one. */
  readonly code: string
  readonly title: string
}

/** A group or repeat that is open. */
interface Open {
  readonly kind: 'group' | 'repeat' | 'page'
  readonly name: string
  readonly label: string
  readonly labelEn: string | null
  readonly row: number
  readonly path: readonly string[]
  /** Rules of the groups around what stands in it, that are of the same page or of the same rows. */
  readonly around: readonly SourceRule[]
  /** Of a repeat. */
  readonly table: { readonly fields: FormField[]; readonly taken: Set<string> } | null
}

interface PageBeingBuilt extends FormPage {
  readonly lists: Record<string, StoredList>
  readonly taken: Set<string>
  readonly sectionCodes: Set<string>
}

export class SurveyBuilder {
  readonly usedLists = new Set<string>()
  /** Length of all conditions, those of groups counted for each field that stands in them. */
  nestedLength = 0
  readonly #around: SurveyAround
  readonly #pages: PageBeingBuilt[] = []
  readonly #open: Open[] = []
  readonly #filtered: FilteredField[] = []
  readonly #pageCodes = new Set<string>()
  /** Whether what comes next begins a section of its own. */
  #turned = false

  constructor(around: SurveyAround) {
    this.#around = around
  }

  add(row: FormRow): void {
    const cell = cellText(row, 'type')
    const type = rowType(cell)
    const name = cellText(row, 'name')
    const report = reporter(this.#around.notCarried, row.row, name)
    if (cell === '') return this.#reportRow(row, report, 'unknown-type')
    if (flagOf(cellText(row, 'disabled')) === true) return this.#reportRow(row, report, 'not-used-by-source')
    switch (type.name) {
      case 'begin_group':
        return cellText(row, 'zl_page') === '' || this.#open.length > 0
          ? this.#openGroup(row, name, report)
          : this.#openPage(row, name, report)
      case 'begin_repeat':
        return this.#openRepeat(row, name, report)
      case 'end_group':
        return this.#close('group', report, cell)
      case 'end_repeat':
        return this.#close('repeat', report, cell)
      default:
        if (DEVICE_TYPES.has(type.name)) return report('field', 'device-metadata', cell)
        if (FILE_TYPES.has(type.name)) return report('field', 'list-elsewhere', `${cell} ${name}`)
        return this.#question(row, type, name, report)
    }
  }

  /** The pages, with what was never closed closed and reported. */
  end(lastRow: number): readonly FormPage[] {
    for (const { row, name, kind } of this.#open.toReversed())
      reporter(this.#around.notCarried, lastRow, name)('section', 'unbalanced', `${kind} ${name} (${row})`)
    this.#page()
    for (const filtered of this.#filtered)
      Object.assign(this.#pageOf(filtered.field)?.lists ?? {}, applyFilter(filtered))
    return this.#pages
  }

  #pageOf(field: FormField): PageBeingBuilt | undefined {
    return this.#pages.find(({ sections }) =>
      sections.some(({ fields }) => fields.some((one) => one === field || one.rows?.includes(field) === true)),
    )
  }

  #reportRow({ cells }: FormRow, report: Report, why: 'unknown-type' | 'not-used-by-source'): void {
    report('field', why, cells.map(({ header, text }) => `${header.title}: ${text}`).join(', '))
  }

  #question(row: FormRow, type: RowType, name: string, report: Report): void {
    const { languages, lists } = this.#around
    const place = this.#place()
    const prop = codeFor(name, row.row, place.taken, report, 'field-name', cellText(row, 'zl_code'))
    const path = row.path ?? [...this.#path(), name]
    const list = lists.get(type.list)
    if (list !== undefined) this.usedLists.add(list.name)
    const asked = questionColumn({ row, type, name, oid: this.#oid(row, name, prop), prop, languages, lists, report })
    const isNote = asked.type === 'title'
    const column = isNote ? asked : applyFlags(asked, row, languages, report)
    const around = { row, path, report, languages, around: this.#rulesAround() }
    const rules = isNote ? rulesOfNote(rulesOf(around), around) : rulesOf(around)
    for (const { text } of rules.show) this.nestedLength += text.length
    const field: FormField = { name, prop, path, report, rules, column, rows: null }
    const message = cellText(row, 'required_message')
    if (message !== '' && column.required !== true && !isNote) {
      report('required', 'no-place', message)
      keep(field, 'required_message', message)
    }
    if (rules.message !== null && rules.constraint === null) {
      report('constraint', 'not-used-by-source', rules.message.zh)
      keep(field, 'constraint_message', cellText(row, 'constraint_message'))
    }
    place.fields.push(field)
    const filter = cellText(row, 'choice_filter')
    if (filter !== '' && list !== undefined)
      this.#filtered.push({
        field,
        list,
        filter,
        report,
        among: this.#table()?.fields ?? this.#page().sections.flatMap(({ fields }) => fields),
      })
    if (type.orOther) this.#other(field, row.row, place)
  }

  /**
   * The name in the source, where it is another than the code; null for a name that was made of the page's and the code
   * when the file was written.
   */
  #oid(row: FormRow, name: string, prop: string): string | null {
    const isMade = cellText(row, 'zl_code') === prop && name.startsWith(`${this.#page().code}_${prop}`)
    return name === prop || isMade ? null : name
  }

  /** The text that `or_other` asks for beside the choices. */
  #other({ name, prop, path, report, column }: FormField, row: number, place: Container): void {
    const own = `${name}_other`
    const code = codeFor(isFieldCode(own) ? own : `${prop}_other`, row, place.taken, report)
    const at = [...path.slice(0, -1), own]
    const show: SourceRule = { text: `selected(../${name}, 'other')`, path: at, report }
    place.fields.push({
      name: own,
      prop: code,
      path: at,
      report,
      rules: { ...NO_RULES, show: [...this.#rulesAround(), show] },
      column: { prop: code, label: `${column.label}（其他）`, type: 'input', span: 24 },
      rows: null,
    })
  }

  #openPage(row: FormRow, name: string, report: Report): void {
    const { label, labelEn } = this.#label(row, report)
    const code = codeFor(name, row.row, this.#pageCodes, report, 'field-name', cellText(row, 'zl_code'))
    this.#pages.push(newPage(code, label === '' ? name : label, labelEn))
    this.#turned = false
    this.#open.push({
      kind: 'page',
      name,
      label,
      labelEn,
      row: row.row,
      path: [name],
      around: this.#conditions(row, [name], report),
      table: null,
    })
  }

  #openGroup(row: FormRow, name: string, report: Report): void {
    const { label, labelEn } = this.#label(row, report)
    const path = row.path ?? [...this.#path(), name]
    this.#reportLayout(row, report)
    const around = [...this.#rulesAround(), ...this.#conditions(row, path, report)]
    this.#open.push({ kind: 'group', name, label, labelEn, row: row.row, path, around, table: null })
    if (this.#table() !== null) {
      if (label !== '') report('section', 'layout-only', label)
      if (labelEn !== null) report('section', 'language-not-kept', labelEn)
      return
    }
    this.#section(this.#title(), cellText(row, 'zl_code') || name)
  }

  #openRepeat(row: FormRow, name: string, report: Report): void {
    const path = row.path ?? [...this.#path(), name]
    // A table of its own beside the one that it stood in: nobody could fill in a table within a table.
    const place = this.#placeOnPage()
    const prop = codeFor(name, row.row, place.taken, report, 'field-name', cellText(row, 'zl_code'))
    const oid = this.#oid(row, name, prop)
    const { label, labelEn } = this.#label(row, report)
    const count = cellText(row, 'repeat_count')
    const most = cellText(row, 'zl_limit') || count
    const limit = /^[1-9]\d{0,3}$/.test(most) ? Number(most) : null
    const labels = labelEn === null ? null : { zh: label, en: labelEn }
    const field: FormField = {
      name,
      prop,
      path,
      report,
      rules: { ...NO_RULES, show: [...this.#rulesAround(), ...this.#conditions(row, path, report)] },
      column: {
        prop,
        label: label === '' ? name : label,
        type: 'dynamic',
        span: 24,
        children: { column: [], ...(limit === null ? {} : { limit }) },
        ...(labels === null && oid === null
          ? {}
          : { zl: { ...(labels === null ? {} : { labels }), ...(oid === null ? {} : { sourceOid: oid }) } }),
      },
      rows: [],
    }
    if (count !== '') {
      report('calculation', 'repeat-count', count)
      if (limit === null) keep(field, 'repeat_count', count)
    }
    if (this.#table() !== null) report('section', 'nested-table', label === '' ? name : label)
    this.#reportLayout(row, report)
    place.fields.push(field)
    this.#open.push({
      kind: 'repeat',
      name,
      label,
      labelEn,
      row: row.row,
      path,
      around: [],
      table: { fields: field.rows ?? [], taken: new Set() },
    })
  }

  #close(kind: 'group' | 'repeat', report: Report, cell: string): void {
    const last = this.#open.at(-1)
    if (last === undefined || (last.kind === 'repeat') !== (kind === 'repeat'))
      return report('section', 'unbalanced', cell)
    this.#open.pop()
    if (last.kind !== 'repeat' && this.#table() === null) this.#turned = true
  }

  /** Title, hints and the like of a group, as far as they are not its own. */
  #reportLayout(row: FormRow, report: Report): void {
    for (const { header, text } of row.cells) {
      if (['type', 'name', 'label', 'relevant', 'repeat_count', 'zl_page', 'zl_code', 'zl_limit'].includes(header.name))
        continue
      report(header.name === 'appearance' ? 'layout' : 'section', 'layout-only', `${header.title}: ${text}`)
    }
  }

  #label(row: FormRow, report: Report): Pick<Open, 'label' | 'labelEn'> {
    const { text, en, others } = spokenIn(row, 'label', this.#around.languages, report)
    for (const other of others) report('section', 'language-not-kept', `${other.title}: ${other.text}`)
    return text === '' ? { label: en ?? '', labelEn: null } : { label: text, labelEn: en === '' ? null : en }
  }

  #conditions(row: FormRow, path: readonly string[], report: Report): readonly SourceRule[] {
    const text = cellText(row, 'relevant')
    return text === '' ? [] : [{ text, path, report }]
  }

  #rulesAround(): readonly SourceRule[] {
    return this.#open.at(-1)?.around ?? []
  }

  #path(): readonly string[] {
    return this.#open.at(-1)?.path ?? []
  }

  #table(): Open['table'] {
    return this.#open.findLast(({ table }) => table !== null)?.table ?? null
  }

  #place(): Container {
    return this.#table() ?? this.#placeOnPage()
  }

  #placeOnPage(): Container {
    const page = this.#page()
    if (page.sections.length === 0) page.sections.push({ label: '', labelEn: null, prop: '', fields: [] })
    // What follows a group stands in none, or in the group around it.
    if (this.#turned) this.#section(this.#title(), '')
    return { fields: page.sections.at(-1)?.fields ?? [], taken: page.taken }
  }

  /** The titles of the groups that are open, one below the other. */
  #title(): Pick<FormSection, 'label' | 'labelEn'> {
    const groups = this.#open.filter(({ kind, label }) => kind === 'group' && label !== '')
    const isBoth = groups.some(({ labelEn }) => labelEn !== null)
    return {
      label: groups.map(({ label }) => label).join(' · '),
      labelEn: isBoth ? groups.map(({ label, labelEn }) => labelEn ?? label).join(' · ') : null,
    }
  }

  #section({ label, labelEn }: Pick<FormSection, 'label' | 'labelEn'>, name: string): void {
    const { sections, sectionCodes } = this.#page()
    const made = `section_${sections.length + 1}`
    const prop =
      name !== '' && isFieldCode(name) && !sectionCodes.has(name) ? name : sectionCodes.has(made) ? `${made}_` : made
    sectionCodes.add(prop)
    const section: FormSection = { label, labelEn, prop, fields: [] }
    this.#turned = false
    // A group of groups, with nothing of its own, is there by its title alone.
    const last = sections.at(-1)
    const isAround =
      last !== undefined && last.fields.length === 0 && last.label !== '' && label.startsWith(`${last.label} · `)
    if (isAround) sections[sections.length - 1] = section
    else sections.push(section)
  }

  #page(): PageBeingBuilt {
    const page = this.#pages.at(-1)
    if (page !== undefined) return page
    const { code, title, notCarried } = this.#around
    const made = newPage(code === '' ? 'form' : pageCode(code, 2, notCarried), title, null)
    this.#pageCodes.add(made.code)
    this.#pages.push(made)
    return made
  }
}

interface Container {
  readonly fields: FormField[]
  readonly taken: Set<string>
}

function newPage(code: string, name: string, nameEn: string | null): PageBeingBuilt {
  const title = plainText(name).slice(0, MAX_PAGE_NAME)
  return {
    code,
    name: title === '' ? code : title,
    nameEn: nameEn === null ? null : plainText(nameEn).slice(0, MAX_PAGE_NAME),
    sections: [],
    lists: {},
    taken: new Set(),
    sectionCodes: new Set(),
  }
}

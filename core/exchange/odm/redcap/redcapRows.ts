import type { DefinedPage, DefinitionError, NotCarried } from '#core/exchange/definition.ts'
import type { Reporter } from '#core/exchange/odm/folders.ts'
import { plannedEvents, readFolders } from '#core/exchange/odm/folders.ts'
import { isRedcapKey, redcapKey } from '#core/exchange/odm/namespaces.ts'
import { MAX_NAME } from '#core/exchange/odm/pages.ts'
import { isPending, readRanges } from '#core/exchange/odm/ranges.ts'
import type { OdmSource } from '#core/exchange/odm/source.ts'
import { inOrder } from '#core/exchange/odm/source.ts'
import type { KnownEvent } from '#core/exchange/redcap/dictionary.ts'
import { definitionOfRows } from '#core/exchange/redcap/dictionary.ts'
import type { DictionaryColumn, DictionaryRow } from '#core/exchange/redcap/table.ts'
import { emptyCells } from '#core/exchange/redcap/table.ts'
import { escapedText } from '#core/exchange/redcap/text.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf, childOf, childrenOf, deepText } from '#core/exchange/xml/element.ts'
import type { Column, PageOption } from '#core/form/definition/column.ts'

/**
 * A project of REDCap as ODM. Its attributes say what a data dictionary says, so its items become the rows of one, and
 * have the same meaning: check boxes are one field again, branching and calculations are translated as those of a
 * dictionary.
 */

/** Cells of a dictionary by the attributes that hold them. */
const CELLS: readonly (readonly [attribute: string, cell: DictionaryColumn])[] = [
  ['SectionHeader', 'section_header'],
  ['FieldNote', 'field_note'],
  ['Identifier', 'identifier'],
  ['BranchingLogic', 'branching_logic'],
  ['RequiredField', 'required_field'],
  ['CustomAlignment', 'custom_alignment'],
  ['QuestionNumber', 'question_number'],
  ['MatrixGroupName', 'matrix_group_name'],
  ['MatrixRanking', 'matrix_ranking'],
  ['FieldAnnotation', 'field_annotation'],
]
/** Read otherwise. */
const OTHERS = [
  'Variable',
  'FieldType',
  'TextValidationType',
  'Calculation',
  'OntologySearch',
  'CheckboxChoices',
  'FormName',
]
const READ: ReadonlySet<string> = new Set([...CELLS.map(([attribute]) => attribute), ...OTHERS].map(redcapKey))

/** Types and validations whose names differ from those of a dictionary. */
const TYPES: Readonly<Record<string, string>> = { textarea: 'notes', select: 'dropdown' }
const VALIDATIONS: Readonly<Record<string, string>> = { int: 'integer', float: 'number' }

export type RedcapResult =
  | {
      readonly ok: true
      readonly pages: readonly DefinedPage[]
      readonly codeOf: (formOid: string) => string | null
      readonly notCarried: readonly NotCarried[]
    }
  | { readonly ok: false; readonly error: DefinitionError }

interface SourceRow {
  readonly row: DictionaryRow
  readonly item: XmlElement
}

/** Reads the forms of a project of REDCap. */
export function readRedcapForms(source: OdmSource, reporter: Reporter): RedcapResult {
  const forms = [...source.forms.values()].map((form) => ({ form, rows: rowsOf(form, source, reporter) }))
  const filled = forms.filter(({ rows }) => rows.length > 0)
  const result = definitionOfRows(
    filled.flatMap(({ rows }) => rows.map(({ row }) => row)),
    eventsOf(source),
  )
  if (!result.ok) return result
  const names = [...new Set(filled.map(({ form }) => formNameOf(form)))]
  const { pages, notCarried } = result.definition
  const items = new Map(
    filled.flatMap(({ rows }) => rows.map(({ row, item }) => [row.cells.field_name, item] as const)),
  )
  return {
    ok: true,
    notCarried,
    pages: pages.map((page, at) => {
      const form = filled.find(({ form: one }) => formNameOf(one) === names[at])?.form
      const name = form === undefined ? '' : attributeOf(form, 'Name')
      const option = withRanges(page.option, items, reporter)
      return {
        ...page,
        ...(name === '' ? {} : { pageName: name.slice(0, MAX_NAME) }),
        option: form === undefined ? option : withOid(option, page.pageCode, attributeOf(form, 'OID')),
      }
    }),
    codeOf: (formOid) => {
      const form = source.forms.get(formOid)
      return form === undefined ? null : (pages[names.indexOf(formNameOf(form))]?.pageCode ?? null)
    },
  }
}

/** The events by REDCap's own names, with the codes that they get as visits. */
function eventsOf(source: OdmSource): readonly KnownEvent[] {
  const nobody: Reporter = () => () => undefined
  const events = plannedEvents(source, nobody)
  const nameOf = (formOid: string) => {
    const form = source.forms.get(formOid)
    return form === undefined ? null : formNameOf(form)
  }
  return readFolders(events, nameOf, nobody).flatMap(({ folderCode, pages }, at) => {
    const event = events[at]
    const name = event === undefined ? '' : attributeOf(event, redcapKey('UniqueEventName'))
    return name === '' ? [] : [{ name, folder: folderCode, forms: new Set(pages) }]
  })
}

function withOid(option: PageOption, pageCode: string, oid: string): PageOption {
  return oid === pageCode ? option : { ...option, zl: { ...option.zl, sourceOid: oid } }
}

function formNameOf(form: XmlElement): string {
  return attributeOf(form, redcapKey('FormName')) || attributeOf(form, 'OID').replace(/^Form\./, '')
}

function rowsOf(form: XmlElement, { groups, items, codeLists }: OdmSource, reporter: Reporter): readonly SourceRow[] {
  const formName = formNameOf(form)
  const seen = new Set<string>()
  const references = inOrder(childrenOf(form, 'ItemGroupRef')).flatMap((reference) => {
    const group = groups.get(attributeOf(reference, 'ItemGroupOID'))
    return group === undefined ? [] : inOrder(childrenOf(group, 'ItemRef'))
  })
  return references.flatMap((reference): readonly SourceRow[] => {
    const oid = attributeOf(reference, 'ItemOID')
    const item = items.get(oid)
    if (item === undefined) {
      reporter(reference, oid)('field', 'not-defined', oid)
      return []
    }
    const name = attributeOf(item, redcapKey('Variable')) || oid
    // The status of a form is that of its page here.
    if (name === `${formName}_complete`) {
      reporter(item)('field', 'status-of-source-system', name)
      return []
    }
    for (const [key, value] of item.attributes)
      if (isRedcapKey(key) && !READ.has(key)) reporter(item)('extension', 'foreign-namespace', `${key}="${value}"`)
    // One field of check boxes is an item for each of its boxes.
    const isBox = attributeOf(item, redcapKey('FieldType')) === 'checkbox'
    if (isBox && seen.has(name)) return []
    seen.add(name)
    const list = codeLists.get(attributeOf(childOf(item, 'CodeListRef') ?? item, 'CodeListOID'))
    return [
      {
        item,
        row: {
          row: item.line,
          strangers: [],
          cells: { ...emptyCells(), ...cellsOf(item, list), field_name: name, form_name: formName },
        },
      },
    ]
  })
}

function cellsOf(item: XmlElement, list: XmlElement | undefined): Partial<Record<DictionaryColumn, string>> {
  const redcap = (name: string) => attributeOf(item, redcapKey(name))
  const question = childOf(item, 'Question')
  const text = question === null ? null : childOf(question, 'TranslatedText')
  const type = redcap('FieldType')
  const validation = redcap('TextValidationType')
  return {
    ...Object.fromEntries(CELLS.map(([attribute, cell]) => [cell, redcap(attribute)])),
    field_type: TYPES[type] ?? type,
    field_label: text === null ? '' : deepText(text).trim(),
    select_choices_or_calculations:
      redcap('Calculation') || redcap('OntologySearch') || (list === undefined ? '' : choicesOf(type, list)),
    text_validation_type_or_show_slider_number: VALIDATIONS[validation] ?? validation,
  }
}

/** The choices as a dictionary writes them; those of yes and no it does not write. */
function choicesOf(type: string, list: XmlElement): string {
  if (type === 'yesno' || type === 'truefalse') return ''
  if (type === 'checkbox') return attributeOf(list, redcapKey('CheckboxChoices'))
  return childrenOf(list, 'CodeListItem')
    .map((one) => {
      const decode = childOf(one, 'Decode')
      const label = decode === null ? '' : deepText(decode).trim()
      return `${attributeOf(one, 'CodedValue')}, ${escapedText(label)
        .replaceAll('|', '&#124;')
        .replace(/\s*\n\s*/g, ' ')}`
    })
    .join(' | ')
}

/** The columns with the range checks of their items. */
function withRanges(option: PageOption, items: ReadonlyMap<string, XmlElement>, reporter: Reporter): PageOption {
  const addChecks = (column: Column): Column => {
    const item = items.get(column.zl?.sourceOid ?? column.prop)
    if (item === undefined) return column
    const { checks, ...bounds } = readRanges(
      item,
      { prop: column.prop, inRow: false, type: column.type },
      reporter(item),
      false,
    )
    const plain = checks.flatMap((check) => (isPending(check) ? [] : [check]))
    if (plain.length === 0 && Object.keys(bounds).length === 0) return column
    return {
      ...column,
      zl: {
        ...column.zl,
        ...bounds,
        ...(plain.length === 0 ? {} : { checks: [...(column.zl?.checks ?? []), ...plain] }),
      },
    }
  }
  return {
    ...option,
    column: option.column.map(addChecks),
    ...(option.group === undefined
      ? {}
      : { group: option.group.map((group) => ({ ...group, column: group.column.map(addChecks) })) }),
  }
}

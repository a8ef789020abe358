import type { DefinitionFacts, DefinitionResult, NotCarried } from '#core/exchange/definition.ts'
import type { Sheet } from '#core/exchange/sheet/sheetTable.ts'
import { SurveyBuilder } from '#core/exchange/xlsform/builder.ts'
import { readLists } from '#core/exchange/xlsform/choices.ts'
import { reporter } from '#core/exchange/xpath/form.ts'
import { completeDefinition } from '#core/exchange/xpath/formDefinition.ts'

import type { ItemRow } from './items.ts'
import { ItemWriter, itemRows } from './items.ts'

/**
 * Reads a CRF design template of OpenClinica or LibreClinica (.xls, .xlsx): one form, its sections sections, its grids
 * tables. A template in which nothing is filled in yet is a definition without pages.
 */

/** Whether sheets are those of a CRF template. */
export function isCrfTemplate(sheets: readonly Sheet[]): boolean {
  return ['CRF', 'Sections', 'Items'].every((name) => sheets.some((sheet) => sheet.name === name))
}

const MAX_ITEMS = 20_000
const LANGUAGES = { base: '', english: null }

export function readCrfTemplate(sheets: readonly Sheet[]): DefinitionResult {
  const [crf = [], sections = [], groups = [], items = []] = ['CRF', 'Sections', 'Groups', 'Items'].map((name) =>
    itemRows(sheets, name),
  )
  const bad = [...crf, ...sections, ...groups, ...items].find(({ cells }) =>
    [...cells.values()].some((text) => text.includes('\0') || !text.isWellFormed()),
  )
  if (bad !== undefined) return { ok: false, error: { kind: 'bad-text', row: bad.row } }
  if (items.length > MAX_ITEMS) return { ok: false, error: { kind: 'too-large' } }
  const facts = factsOf(sheets, { sections, groups, items })
  if (crf.length === 0 && items.length === 0)
    return { ok: true, definition: { pages: [], folders: [], notCarried: [], facts } }
  const notCarried: NotCarried[] = []
  const [form] = crf
  const name = form?.cells.get('CRF_NAME') ?? 'CRF'
  for (const title of ['VERSION', 'VERSION_DESCRIPTION', 'REVISION_NOTES']) {
    const text = form?.cells.get(title)
    if (text !== undefined) reporter(notCarried, form?.row ?? 2, title)('setting', 'not-used-by-source', text)
  }
  const writer = new ItemWriter(sections, groups, notCarried)
  const rows = writer.survey(items)
  const lists = readLists({ headers: [], rows: writer.choices() }, LANGUAGES, (row, list) =>
    reporter(notCarried, row, list),
  )
  const builder = new SurveyBuilder({ notCarried, languages: LANGUAGES, lists, code: name, title: name })
  for (const row of rows) builder.add(row)
  const pages = builder.end(items.at(-1)?.row ?? 1)
  return { ok: true, definition: completeDefinition(pages, notCarried, facts) }
}

interface Tables {
  readonly sections: readonly ItemRow[]
  readonly groups: readonly ItemRow[]
  readonly items: readonly ItemRow[]
}

function factsOf(sheets: readonly Sheet[], { sections, groups, items }: Tables): DefinitionFacts {
  const countTexts = (title: string) => {
    const counts: Record<string, number> = {}
    for (const { cells } of items) {
      const text = cells.get(title)?.toLowerCase()
      if (text !== undefined) counts[text] = (counts[text] ?? 0) + 1
    }
    return counts
  }
  const countFilled = (title: string) => items.filter(({ cells }) => cells.has(title)).length
  const types = countTexts('RESPONSE_TYPE')
  const required = items.filter(({ cells }) => cells.get('REQUIRED') === '1').length
  return {
    forms: items.length === 0 ? 0 : 1,
    fields: items.length,
    field_types: types,
    choices: items.reduce(
      (sum, { cells }) =>
        sum +
        (/select|radio|checkbox/i.test(cells.get('RESPONSE_TYPE') ?? '')
          ? (cells.get('RESPONSE_OPTIONS_TEXT') ?? '').split(/(?<!\\),/).filter((part) => part !== '').length
          : 0),
      0,
    ),
    required,
    branching_rules: countFilled('SIMPLE_CONDITIONAL_DISPLAY'),
    calc_fields: Object.entries(types).reduce(
      (sum, [type, count]) => sum + (type.includes('calculation') ? count : 0),
      0,
    ),
    more: {
      format: 'OpenClinica CRF XLS',
      sheets: sheets.map(({ name }) => name),
      items: items.length,
      sections: sections.length,
      groups: groups.length,
      response_types: types,
      data_types: countTexts('DATA_TYPE'),
      required,
      validations: countFilled('VALIDATION'),
      conditional_display: countFilled('SIMPLE_CONDITIONAL_DISPLAY'),
    },
  }
}

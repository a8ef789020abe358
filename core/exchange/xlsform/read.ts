import type { DefinitionResult, NotCarried } from '#core/exchange/definition.ts'
import type { Sheet } from '#core/exchange/sheet/sheetTable.ts'
import type { FormPage } from '#core/exchange/xpath/form.ts'
import { reporter } from '#core/exchange/xpath/form.ts'
import { completeDefinition } from '#core/exchange/xpath/formDefinition.ts'

import { SurveyBuilder } from './builder.ts'
import { readLists } from './choices.ts'
import { factsOf } from './facts.ts'
import { languagesOf } from './languages.ts'
import type { FormTable } from './table.ts'
import { cellText, hasTooManyRepeats, tableOf } from './table.ts'

/**
 * Reads an XLSForm: a workbook with the sheets `survey`, `choices` and `settings`. It becomes one page, its groups
 * sections, its repeats tables; what has no place here, or not the same meaning, is in `notCarried` by row, reason and
 * text.
 */

/** More than any form has. */
const LIMITS = { questions: 20_000, choices: 200_000, expressions: 1_500_000, nested: 3_000_000 }

/** Whether sheets may be an XLSForm: what makes one is its survey. */
export function isXlsForm(sheets: readonly Sheet[]): boolean {
  return sheets.some(({ name }) => name.trim().toLowerCase() === 'survey')
}

/** Reads the sheets of a workbook. @param title of the form where the file has none of its own */
export function readXlsForm(sheets: readonly Sheet[], title: string): DefinitionResult {
  const survey = tableOf(sheets, 'survey')
  const choices = tableOf(sheets, 'choices')
  const settings = tableOf(sheets, 'settings')
  const bad = [survey, choices, settings]
    .flatMap(({ rows }) => rows)
    .find(({ cells }) => cells.some(({ text }) => text.includes('\0') || !text.isWellFormed()))
  if (bad !== undefined) return { ok: false, error: { kind: 'bad-text', row: bad.row } }
  if (!isXlsForm(sheets)) return { ok: false, error: { kind: 'missing-sheets', sheets: ['survey'] } }
  const missing = ['type', 'name'].filter((name) => !survey.headers.some((header) => header.name === name))
  if (survey.headers.length > 0 && missing.length > 0)
    return { ok: false, error: { kind: 'missing-columns', columns: missing } }
  if (survey.rows.length === 0) return { ok: false, error: { kind: 'empty' } }
  if (
    survey.rows.length > LIMITS.questions ||
    choices.rows.length > LIMITS.choices ||
    expressionLength(survey) > LIMITS.expressions ||
    hasTooManyRepeats(survey.rows)
  )
    return { ok: false, error: { kind: 'too-large' } }
  const notCarried: NotCarried[] = []
  const pages = pagesOf({ survey, choices, settings }, title, notCarried)
  if (pages === null) return { ok: false, error: { kind: 'too-large' } }
  return { ok: true, definition: completeDefinition(pages, notCarried, factsOf(sheets, survey, choices)) }
}

function expressionLength({ rows }: FormTable): number {
  return rows.reduce(
    (sum, row) =>
      sum +
      ['relevant', 'constraint', 'calculation', 'required', 'readonly'].reduce(
        (own, name) => own + cellText(row, name).length,
        0,
      ),
    0,
  )
}

interface Tables {
  readonly survey: FormTable
  readonly choices: FormTable
  readonly settings: FormTable
}

/** Null where groups in groups say more than any form does. */
function pagesOf(
  { survey, choices, settings }: Tables,
  title: string,
  notCarried: NotCarried[],
): readonly FormPage[] | null {
  const own = settings.rows[0]
  const setting = (name: string) => (own === undefined ? '' : cellText(own, name))
  for (const { header, text } of own?.cells ?? []) {
    if (!['form_title', 'form_id', 'default_language', 'allow_choice_duplicates'].includes(header.name))
      reporter(notCarried, own?.row ?? 1, header.title)('setting', 'not-used-by-source', text)
  }
  const languages = languagesOf(survey.headers, setting('default_language'))
  const lists = readLists(choices, languages, (row, list) => reporter(notCarried, row, list))
  const builder = new SurveyBuilder({
    notCarried,
    languages,
    lists,
    code: setting('form_id'),
    title: setting('form_title') || title,
  })
  for (const row of survey.rows) builder.add(row)
  const pages = builder.end(survey.rows.at(-1)?.row ?? 1)
  for (const { name, choices: listed } of lists.values()) {
    if (!builder.usedLists.has(name))
      reporter(notCarried, listed[0]?.row.row ?? 1, name)(
        'choices',
        'not-used-by-source',
        listed.map(({ item }) => `${item.value}, ${item.label}`).join(' | '),
      )
  }
  return builder.nestedLength > LIMITS.nested ? null : pages
}

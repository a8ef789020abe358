import type { NotCarried, StudyDefinition } from '#core/exchange/definition.ts'
import { readSheets } from '#core/exchange/sheet/readSheets.ts'
import { readXlsForm } from '#core/exchange/xlsform/read.ts'
import type { Column } from '#core/form/definition/column.ts'

import type { Cells } from '../sheet/making.ts'
import { workbook } from '../sheet/making.ts'

/** XLSForms for tests, in few words. */

export interface FormSheets {
  readonly survey: Cells
  readonly choices?: Cells
  readonly settings?: Cells
}

/** The definition of an XLSForm, through bytes. Fails loudly where it is none. */
export function imported({ survey, choices, settings }: FormSheets): StudyDefinition {
  const read = readSheets(
    workbook({
      survey,
      ...(choices === undefined ? {} : { choices }),
      ...(settings === undefined ? {} : { settings }),
    }),
  )
  if (!read.ok) throw new Error(read.error.kind)
  const result = readXlsForm(read.sheets, 'form')
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.definition
}

/** All columns of the first page, in their order, those of tables after their table. */
export function columns({ pages }: StudyDefinition): readonly Column[] {
  const below = (column: Column): readonly Column[] => [column, ...(column.children?.column ?? []).flatMap(below)]
  return pages
    .flatMap(({ option }) => [...option.column, ...(option.group ?? []).flatMap((group) => group.column)])
    .flatMap(below)
}

export function column(definition: StudyDefinition, prop: string): Column {
  const found = columns(definition).find((one) => one.prop === prop)
  if (found === undefined) throw new Error(`no field ${prop}`)
  return found
}

/** Reports in one line each. */
export function lost({ notCarried }: { readonly notCarried: readonly NotCarried[] }): readonly string[] {
  return notCarried.map(({ row, field, what, why, text }) => `${row} ${field}: ${what}, ${why}: ${text}`)
}

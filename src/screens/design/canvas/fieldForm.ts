import type { DesignColumn } from '#core/design/design.ts'
import { compilePage } from '#core/form/compiled/compile.ts'
import type { Field } from '#core/form/definition/page.ts'
import { IN_NO_MODE, readPage } from '#core/form/definition/page.ts'
import { PLAIN_LOOK } from '#core/form/definition/pageLook.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import { dayOf, fullTime } from '#src/ui/words/format.ts'

/** Fields of a design as the form draws them: each as a form of its own, so that an edit draws only its field again. */

const fields = new WeakMap<DesignColumn, Field | null>()

/**
 * A column as the form reads it; null where it cannot.
 *
 * @param settings the page's own, with the lists that its fields name
 */
export function fieldOf(column: DesignColumn, settings: unknown): Field | null {
  const known = fields.get(column)
  if (known !== undefined) return known
  const read = readPage({ column: [column], zl: settings })
  const field = read.ok ? (read.page.byCode.get(column.prop) ?? null) : null
  fields.set(column, field)
  return field
}

/** A form with only this field, always shown and without its rules; null where it cannot be made. */
export function formOf(field: Field): FormState | null {
  const alone = withoutRules(field)
  const compiled = compilePage({
    sections: [{ id: alone.code, label: '', labelEn: null, fields: [alone] }],
    fields: [alone],
    byCode: new Map([[alone.code, alone]]),
    look: PLAIN_LOOK,
  })
  if (!compiled.ok) return null
  const now = new Date()
  const moment = { today: dayOf(now), now: fullTime(now.toISOString()) }
  return createFormState(compiled.compiled, { values: {}, missing: {} }, { moment, readOnly: false, isNew: true })
}

const IN_ALL_MODES = { add: true, input: true, view: true }

/** Placeholders in the label stay as they are written, and what is calculated is only to be read. */
function withoutRules(field: Field): Field {
  return {
    ...field,
    pipes: [],
    hidden: IN_NO_MODE,
    readOnly: field.calculate === null ? field.readOnly : IN_ALL_MODES,
    chain: null,
    show: null,
    require: null,
    readOnlyWhen: null,
    calculate: null,
    checks: [],
    references: [],
    children: field.children.map(withoutRules),
  }
}

import { PLAIN_LOOK } from '#core/form/definition/pageLook.ts'
import { compilePage } from '#core/form/compiled/compile.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { Field } from '#core/form/definition/page.ts'
import { IN_NO_MODE, isCollected } from '#core/form/definition/page.ts'
import { valueKind } from '#core/form/definition/value.ts'
import type { Moment } from '#core/rules/values.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { contentAt } from '#core/sync/merge.ts'

/**
 * A form with one field, outside of its page. Rules that need other fields of the page do not run. A field that cannot
 * be drawn as it is becomes a text box if its value is text.
 *
 * @returns null for a field whose value cannot be entered: files, rows, trees
 */
export function oneFieldForm(field: Field, content: ItemContent, moment: Moment): FormState | null {
  const alone: Field = {
    ...field,
    hidden: IN_NO_MODE,
    required: false,
    readOnly: IN_NO_MODE,
    initial: null,
    show: null,
    require: null,
    readOnlyWhen: null,
    calculate: null,
    checks: [],
  }
  const drawn: Field | null =
    isCollected(alone) && alone.type !== 'upload'
      ? alone
      : valueKind(alone) === 'text' && alone.choices.length === 0
        ? { ...alone, type: 'input' }
        : null
  if (drawn === null) return null
  const page = {
    sections: [{ id: drawn.code, label: '', labelEn: null, fields: [drawn] }],
    fields: [drawn],
    byCode: new Map([[drawn.code, drawn]]),
    look: PLAIN_LOOK,
  }
  const compiled = compilePage(page)
  if (!compiled.ok) return null
  const data = {
    values: content.value === null ? {} : { [drawn.code]: content.value },
    missing: content.missing === null ? {} : { [drawn.code]: content.missing },
  }
  return createFormState(compiled.compiled, data, { moment, readOnly: false })
}

/** The content of a form with one field. */
export function contentOf(form: FormState): ItemContent {
  const [field] = form.compiled.page.fields
  return (
    (field === undefined ? null : contentAt(form.data(), { table: null, rid: null, code: field.code })) ?? {
      value: null,
      missing: null,
    }
  )
}

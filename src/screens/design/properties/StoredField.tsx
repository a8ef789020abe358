import type { DesignColumn, DesignForm } from '#core/design/design.ts'
import type { DesignFieldKey } from '#core/design/designEdit.ts'
import { codesIn } from '#core/design/fields.ts'
import { scalarText } from '#core/form/definition/option.ts'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'

import { RawEditor } from './RawEditor.tsx'

interface StoredFieldProps {
  readonly editor: DesignEditor
  readonly form: DesignForm
  readonly field: DesignFieldKey
  readonly column: DesignColumn
}

/** A field as it is stored. Its code cannot be changed here, but only where its rules and values follow. */
export function StoredField({ editor, form, field, column }: StoredFieldProps) {
  return (
    <RawEditor
      key={field.prop}
      value={column}
      check={(value) => wrongColumn(form, field, value)}
      onApply={(value) =>
        editor.edit({
          kind: 'field-set',
          field,
          patch: {
            ...Object.fromEntries(Object.keys(column).map((key) => [key, undefined])),
            ...value,
            prop: field.prop,
          },
        })
      }
    />
  )
}

/** The key of what is wrong with a column that a person has typed; null where the page can read it. */
function wrongColumn(
  form: DesignForm,
  { table, prop }: DesignFieldKey,
  value: Readonly<Record<string, unknown>>,
): string | null {
  const others = [...codesIn(form, table)].filter((code) => code !== prop)
  const code = scalarText(value['prop']) ?? prop
  return others.includes(code) ? code : null
}

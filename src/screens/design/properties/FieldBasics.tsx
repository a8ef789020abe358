import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DesignColumn, DesignForm } from '#core/design/design.ts'
import type { DesignFieldKey, Patch } from '#core/design/designEdit.ts'
import { codesIn } from '#core/design/fields.ts'
import type { FieldType } from '#core/form/definition/column.ts'
import { PALETTE, extensionOf, labelIn, labelPatch, requiredPatch, typeOf } from '#src/screens/design/columns.ts'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'

import { ChoiceProperty, CodeProperty, FlagProperty, TextProperty } from './inputs.tsx'

interface FieldBasicsProps extends FieldAnswerProps {
  readonly editor: DesignEditor
  readonly form: DesignForm
  readonly field: DesignFieldKey
}

/** The label, code and type of a field, and the properties that fields of every type have. */
export function FieldBasics({ editor, form, field, column, set, extend }: FieldBasicsProps) {
  const { t } = useTranslation('design')
  const type = typeOf(column)
  const zh = labelIn(column, 'zh')
  const en = extensionOf(column).labels?.en ?? ''
  const types = PALETTE.flatMap((group): readonly FieldType[] => group.types).filter(
    (one) => field.table === null || one !== 'dynamic',
  )
  return (
    <Stack gap="sm">
      <TextProperty
        first
        long
        label={t('props.label')}
        value={zh}
        onChange={(next) => set(labelPatch(column, { zh: next, en }))}
      />
      <TextProperty
        long
        label={t('props.labelEn')}
        value={en}
        onChange={(next) => set(labelPatch(column, { zh, en: next }))}
      />
      <CodeProperty
        key={field.prop}
        value={field.prop}
        taken={codesIn(form, field.table)}
        onChange={(code) => editor.edit({ kind: 'field-code', field, code })}
      />
      <ChoiceProperty
        label={t('props.type')}
        value={type}
        options={types.map((one) => ({ value: one, label: t(`types.${one}`) }))}
        onChange={(next) => set(typePatch(column, next))}
      />
      {type !== 'title' && <FieldAnswer column={column} set={set} extend={extend} />}
    </Stack>
  )
}

interface FieldAnswerProps {
  readonly column: DesignColumn
  readonly set: (patch: Patch) => void
  readonly extend: (patch: Patch) => void
}

/** Whether an answer is required, the words beside its box, and the kind of fact that it is. */
function FieldAnswer({ column, set, extend }: FieldAnswerProps) {
  const { t } = useTranslation('design')
  const { note, noteEn, unit, unitEn, identifier } = extensionOf(column)
  return (
    <>
      <FlagProperty
        label={t('props.required')}
        value={column.required === true}
        onChange={(next) => set(requiredPatch(next, labelIn(column, 'zh')))}
      />
      <FlagProperty
        label={t('props.readOnly')}
        value={column.readonly === true}
        onChange={(next) => set({ readonly: next || undefined })}
      />
      <TextProperty long label={t('props.note')} value={note ?? ''} onChange={(next) => extend({ note: next })} />
      <TextProperty long label={t('props.noteEn')} value={noteEn ?? ''} onChange={(next) => extend({ noteEn: next })} />
      <TextProperty label={t('props.unit')} value={unit ?? ''} max={40} onChange={(next) => extend({ unit: next })} />
      <TextProperty
        label={t('props.unitEn')}
        value={unitEn ?? ''}
        max={40}
        onChange={(next) => extend({ unitEn: next })}
      />
      <FlagProperty
        label={t('props.identifier')}
        value={identifier === true}
        onChange={(next) => extend({ identifier: next })}
      />
      <FlagProperty
        label={t('props.unique')}
        value={column.unique === true}
        onChange={(next) => set({ unique: next || undefined })}
      />
      <FlagProperty
        label={t('props.encode')}
        value={column.encode === true}
        onChange={(next) => set({ encode: next || undefined })}
      />
    </>
  )
}

/** A patch for another type. Properties that the new type does not use stay, in case the designer changes back. */
function typePatch({ children }: DesignColumn, next: FieldType): Patch {
  return {
    type: next,
    ...(next === 'dynamic' && children === undefined ? { children: { type: 'crud', column: [] } } : {}),
  }
}

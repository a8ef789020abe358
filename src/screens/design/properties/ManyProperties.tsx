import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DesignColumn } from '#core/design/design.ts'
import type { DesignEdit, Patch } from '#core/design/designEdit.ts'
import { SPANS, extensionOf, extensionPatch, labelIn, requiredPatch } from '#src/screens/design/columns.ts'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'

import { ChoiceProperty, FlagProperty } from './inputs.tsx'

interface ManyPropertiesProps {
  readonly editor: DesignEditor
  readonly place: { readonly pageId: string; readonly table: string | null }
  readonly columns: readonly DesignColumn[]
}

/** The properties that can be set for several fields at once, as one step. */
export function ManyProperties({ editor, place, columns }: ManyPropertiesProps) {
  const { t } = useTranslation('design')
  const setAll = (patchOf: (column: DesignColumn) => Patch) =>
    editor.edit(
      ...columns.map((column): DesignEdit => ({
        kind: 'field-set',
        field: { ...place, prop: column.prop },
        patch: patchOf(column),
      })),
    )
  const all = (holds: (column: DesignColumn) => boolean) => columns.every(holds)
  const span = SPANS.find((one) => all((column) => String(column.span) === one)) ?? '12'
  return (
    <Stack gap="sm">
      <Text fw={600}>{t('props.many', { count: columns.length })}</Text>
      <FlagProperty
        label={t('props.required')}
        value={all(({ required }) => required === true)}
        onChange={(next) => setAll((column) => requiredPatch(next, labelIn(column, 'zh')))}
      />
      <FlagProperty
        label={t('props.readOnly')}
        value={all(({ readonly }) => readonly === true)}
        onChange={(next) => setAll(() => ({ readonly: next || undefined }))}
      />
      <FlagProperty
        label={t('props.identifier')}
        value={all((column) => extensionOf(column).identifier === true)}
        onChange={(next) => setAll((column) => extensionPatch(column, { identifier: next }))}
      />
      <ChoiceProperty
        label={t('props.span')}
        value={span}
        options={SPANS.map((one) => ({ value: one, label: t(`props.spans.s${one}`) }))}
        onChange={(next) => setAll(() => ({ span: Number(next) }))}
      />
    </Stack>
  )
}

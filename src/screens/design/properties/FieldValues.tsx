import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DesignColumn } from '#core/design/design.ts'
import type { Patch } from '#core/design/designEdit.ts'
import { TEXT_VALIDATIONS } from '#core/form/definition/column.ts'
import { itemsOf } from '#core/form/definition/lists.ts'
import { extensionOf, extensionPatch, hasChoices, numberOf, typeOf } from '#src/screens/design/columns.ts'

import { ChoicesEditor } from './ChoicesEditor.tsx'
import { DictionaryPicker } from './DictionaryPicker.tsx'
import { ChoiceProperty, FlagProperty, NumberProperty, TextProperty } from './inputs.tsx'
import { RangeProperties } from './RangeProperties.tsx'

interface FieldValuesProps {
  readonly column: DesignColumn
  readonly set: (patch: Patch) => void
  readonly extend: (patch: Patch) => void
}

const NUMBERS = new Set(['number', 'slider'])
const DAYS = new Set(['date', 'datetime', 'daterange', 'datetimerange', 'time', 'timerange', 'month', 'year', 'week'])

/** What a field takes: bounds, lengths, formats, choices. Only what means something for its type. */
export function FieldValues({ column, set, extend }: FieldValuesProps) {
  const { t } = useTranslation('design')
  const type = typeOf(column)
  const { min, max, precision, validation, partial } = extensionOf(column)
  const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
  return (
    <Stack gap="sm">
      {NUMBERS.has(type) && (
        <>
          <NumberProperty
            label={t('props.min')}
            hint={t('props.limitsHint')}
            value={min ?? column.min}
            onChange={(next) => bound('min', next)}
          />
          <NumberProperty label={t('props.max')} value={max ?? column.max} onChange={(next) => bound('max', next)} />
          {type === 'number' && <RangeProperties column={column} kind="number" extend={extend} />}
          <NumberProperty
            label={t('props.precision')}
            value={precision ?? column.precision}
            min={0}
            max={10}
            onChange={(next) => set({ precision: next, ...extensionPatch(column, { precision: next }) })}
          />
          <NumberProperty
            label={t('props.step')}
            value={column.step}
            min={0}
            onChange={(next) => set({ step: next })}
          />
        </>
      )}
      {DAYS.has(type) && (
        <>
          <TextProperty
            label={t('props.min')}
            hint={t('props.limitsHint')}
            value={text(min)}
            max={30}
            onChange={(next) => extend({ min: next })}
          />
          <TextProperty label={t('props.max')} value={text(max)} max={30} onChange={(next) => extend({ max: next })} />
          <RangeProperties column={column} kind="text" extend={extend} />
        </>
      )}
      {type === 'date' && (
        <ChoiceProperty
          label={t('props.partial')}
          value={partial ?? 'none'}
          options={(['none', 'month', 'year'] as const).map((value) => ({
            value,
            label: t(`props.partials.${value}`),
          }))}
          onChange={(next) => extend({ partial: next === 'none' ? undefined : next })}
        />
      )}
      {(type === 'input' || type === 'textarea') && (
        <NumberProperty
          label={t('props.maxlength')}
          value={column.maxlength}
          min={1}
          onChange={(next) => set({ maxlength: next })}
        />
      )}
      {type === 'input' && (
        <ChoiceProperty
          label={t('props.validation')}
          value={validation ?? 'none'}
          options={(['none', ...TEXT_VALIDATIONS] as const).map((value) => ({
            value,
            label: t(`props.validations.${value}`),
          }))}
          onChange={(next) => extend({ validation: next === 'none' ? undefined : next })}
        />
      )}
      {(type === 'select' || type === 'cascader' || type === 'tree') && (
        <FlagProperty
          label={t('props.multiple')}
          value={column.multiple === true}
          onChange={(next) => set({ multiple: next || undefined })}
        />
      )}
      {hasChoices(type) && type !== 'table' && <DictionaryPicker column={column} set={set} />}
      {hasChoices(type) && typeof column.dicUrl === 'string' && (
        <p>{t('props.fromList', { address: column.dicUrl })}</p>
      )}
      {hasChoices(type) && typeof column.dicUrl !== 'string' && (
        <ChoicesEditor items={itemsOf(column.dicData)} onChange={(dicData) => set({ dicData })} />
      )}
      {type === 'dynamic' && (
        <NumberProperty
          label={t('props.limit')}
          value={column.limit}
          min={1}
          onChange={(next) => set({ limit: next })}
        />
      )}
      {type === 'upload' && (
        <>
          <NumberProperty
            label={t('props.files')}
            value={column.limit}
            min={1}
            onChange={(next) => set({ limit: next })}
          />
          <NumberProperty
            label={t('props.fileSize')}
            value={column.fileSize}
            min={1}
            onChange={(next) => set({ fileSize: next })}
          />
          <TextProperty
            label={t('props.accept')}
            value={text(column.accept)}
            max={200}
            onChange={(next) => set({ accept: next === '' ? undefined : next })}
          />
        </>
      )}
      {!['dynamic', 'upload', 'table', 'checkbox', 'array', 'url', 'cascader', 'tree'].includes(type) &&
        !type.endsWith('range') && (
          <TextProperty
            label={t('props.initial')}
            value={text(column.value)}
            max={2000}
            onChange={(next) => set({ value: next === '' ? undefined : NUMBERS.has(type) ? numberOf(next) : next })}
          />
        )}
    </Stack>
  )

  function bound(key: 'min' | 'max', next: number | undefined): void {
    // Avue's own keys too, so that a stock form holds to the bounds.
    set({ [key]: next, ...extensionPatch(column, { [key]: next }) })
  }
}

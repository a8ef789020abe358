import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DesignColumn } from '#core/design/design.ts'
import type { Patch } from '#core/design/designEdit.ts'
import type { FieldType } from '#core/form/definition/column.ts'
import { TEXT_VALIDATIONS } from '#core/form/definition/column.ts'
import { itemsOf } from '#core/form/definition/lists.ts'
import { extensionOf, extensionPatch, hasChoices, numberOf, typeOf } from '#src/screens/design/columns.ts'

import { ChoicesEditor } from './choices/ChoicesEditor.tsx'
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

/** The values that a field takes: limits, lengths, formats, choices. Shows only what its type uses. */
export function FieldValues({ column, set, extend }: FieldValuesProps) {
  const { t } = useTranslation('design')
  const type = typeOf(column)
  const parts = { column, set, extend }
  return (
    <Stack gap="sm">
      {NUMBERS.has(type) && <NumberValues {...parts} />}
      {DAYS.has(type) && <DayValues {...parts} />}
      {(type === 'input' || type === 'textarea') && <TextValues {...parts} />}
      {hasChoices(type) && <ChoiceValues {...parts} />}
      {type === 'dynamic' && (
        <NumberProperty
          label={t('props.limit')}
          value={column.limit}
          min={1}
          onChange={(next) => set({ limit: next })}
        />
      )}
      {type === 'upload' && <FileValues {...parts} />}
      {hasInitialValue(type) && (
        <TextProperty
          label={t('props.initial')}
          value={textOf(column.value)}
          max={2000}
          onChange={(next) => set({ value: next === '' ? undefined : NUMBERS.has(type) ? numberOf(next) : next })}
        />
      )}
    </Stack>
  )
}

/** The limits of a number, and its precision. */
function NumberValues({ column, set, extend }: FieldValuesProps) {
  const { t } = useTranslation('design')
  const { min, max, precision } = extensionOf(column)
  // Sets Avue's own keys too, so that a stock form keeps to them.
  const setBoth = (key: 'min' | 'max' | 'precision', next: number | undefined) =>
    set({ [key]: next, ...extensionPatch(column, { [key]: next }) })
  return (
    <>
      <NumberProperty
        label={t('props.min')}
        hint={t('props.limitsHint')}
        value={min ?? column.min}
        onChange={(next) => setBoth('min', next)}
      />
      <NumberProperty label={t('props.max')} value={max ?? column.max} onChange={(next) => setBoth('max', next)} />
      {typeOf(column) === 'number' && <RangeProperties column={column} kind="number" extend={extend} />}
      <NumberProperty
        label={t('props.precision')}
        value={precision ?? column.precision}
        min={0}
        max={10}
        onChange={(next) => setBoth('precision', next)}
      />
      <NumberProperty label={t('props.step')} value={column.step} min={0} onChange={(next) => set({ step: next })} />
    </>
  )
}

/** The limits of a date or a time, and whether parts of a date may be unknown. */
function DayValues({ column, extend }: FieldValuesProps) {
  const { t } = useTranslation('design')
  const { min, max, partial } = extensionOf(column)
  return (
    <>
      <TextProperty
        label={t('props.min')}
        hint={t('props.limitsHint')}
        value={textOf(min)}
        max={30}
        onChange={(next) => extend({ min: next })}
      />
      <TextProperty label={t('props.max')} value={textOf(max)} max={30} onChange={(next) => extend({ max: next })} />
      <RangeProperties column={column} kind="text" extend={extend} />
      {typeOf(column) === 'date' && (
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
    </>
  )
}

/** The length of a text, and the format of a line of text. */
function TextValues({ column, set, extend }: FieldValuesProps) {
  const { t } = useTranslation('design')
  return (
    <>
      <NumberProperty
        label={t('props.maxlength')}
        value={column.maxlength}
        min={1}
        onChange={(next) => set({ maxlength: next })}
      />
      {typeOf(column) === 'input' && (
        <ChoiceProperty
          label={t('props.validation')}
          value={extensionOf(column).validation ?? 'none'}
          options={(['none', ...TEXT_VALIDATIONS] as const).map((value) => ({
            value,
            label: t(`props.validations.${value}`),
          }))}
          onChange={(next) => extend({ validation: next === 'none' ? undefined : next })}
        />
      )}
    </>
  )
}

/** The choices, how many of them may be chosen, and where they are listed. */
function ChoiceValues({ column, set }: FieldValuesProps) {
  const { t } = useTranslation('design')
  const type = typeOf(column)
  return (
    <>
      {(type === 'select' || type === 'cascader' || type === 'tree') && (
        <FlagProperty
          label={t('props.multiple')}
          value={column.multiple === true}
          onChange={(next) => set({ multiple: next || undefined })}
        />
      )}
      {type !== 'table' && <DictionaryPicker column={column} set={set} />}
      {typeof column.dicUrl === 'string' ? (
        <p>{t('props.fromList', { address: column.dicUrl })}</p>
      ) : (
        <ChoicesEditor items={itemsOf(column.dicData)} onChange={(dicData) => set({ dicData })} />
      )}
    </>
  )
}

/** The number, size and types of files. */
function FileValues({ column, set }: FieldValuesProps) {
  const { t } = useTranslation('design')
  return (
    <>
      <NumberProperty label={t('props.files')} value={column.limit} min={1} onChange={(next) => set({ limit: next })} />
      <NumberProperty
        label={t('props.fileSize')}
        value={column.fileSize}
        min={1}
        onChange={(next) => set({ fileSize: next })}
      />
      <TextProperty
        label={t('props.accept')}
        value={textOf(column.accept)}
        max={200}
        onChange={(next) => set({ accept: next === '' ? undefined : next })}
      />
    </>
  )
}

/** Whether the initial value of a field can be written as one text. */
function hasInitialValue(type: FieldType): boolean {
  return (
    !['dynamic', 'upload', 'table', 'checkbox', 'array', 'url', 'cascader', 'tree'].includes(type) &&
    !type.endsWith('range')
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

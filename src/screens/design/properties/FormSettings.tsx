import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DesignForm } from '#core/design/design.ts'
import { extensionOf } from '#core/design/design.ts'
import type { Patch } from '#core/design/designEdit.ts'

import { ChoiceProperty, FlagProperty, NumberProperty, TextProperty } from './inputs.tsx'

const FLAGS = ['createdByManual', 'attachment', 'attachmentRequired'] as const
const SIZES = ['auto', 'A4-vertical', 'A4-horizontal'] as const
const LABEL_POSITIONS = ['auto', 'top', 'left', 'right'] as const
const MENU_POSITIONS = ['left', 'center', 'right'] as const

/** The settings of a page's form (specification §3): its size, its labels, its button, and how entries are made. */
export function FormSettings({ form, set }: { readonly form: DesignForm; readonly set: (patch: Patch) => void }) {
  const { t } = useTranslation('design')
  const zl: Readonly<Record<string, unknown>> = { ...extensionOf(form) }
  const extend = (patch: Patch) => {
    const next = Object.fromEntries(
      Object.entries({ ...zl, ...patch }).filter(([, value]) => value !== undefined && value !== false),
    )
    set({ zl: Object.keys(next).length === 0 ? undefined : next })
  }
  const parts = { rest: form.rest, zl, set, extend }
  return (
    <Stack gap="sm">
      <ChoiceProperty
        label={t('props.pageSize')}
        value={oneOf(SIZES, zl['pageSize'], 'auto')}
        options={SIZES.map((value) => ({ value, label: t(`props.pageSizes.${value}`) }))}
        onChange={(value) => extend({ pageSize: value === 'auto' ? undefined : value })}
      />
      <LabelSettings {...parts} />
      <ButtonSettings {...parts} />
      {FLAGS.map((flag) => (
        <FlagProperty
          key={flag}
          label={t(`props.${flag}`)}
          value={zl[flag] === true}
          onChange={(value) => extend({ [flag]: value || undefined })}
        />
      ))}
    </Stack>
  )
}

interface FormPartProps {
  readonly rest: DesignForm['rest']
  /** The settings that Avue does not know. */
  readonly zl: Readonly<Record<string, unknown>>
  readonly set: (patch: Patch) => void
  readonly extend: (patch: Patch) => void
}

/** The place of the labels, the character after them, and the space between fields. */
function LabelSettings({ rest, zl, set, extend }: FormPartProps) {
  const { t } = useTranslation('design')
  return (
    <>
      <ChoiceProperty
        label={t('props.labelPosition')}
        value={oneOf(LABEL_POSITIONS, rest.labelPosition, 'auto')}
        options={LABEL_POSITIONS.map((value) => ({ value, label: t(`props.labelPositions.${value}`) }))}
        onChange={(next) => set({ labelPosition: next === 'auto' ? undefined : next })}
      />
      <TextProperty
        label={t('props.labelSuffix')}
        value={textOf(rest.labelSuffix)}
        max={10}
        onChange={(labelSuffix) => set({ labelSuffix })}
      />
      <TextProperty
        label={t('props.labelSuffixEn')}
        value={textOf(zl['labelSuffixEn'])}
        max={10}
        onChange={(next) => extend({ labelSuffixEn: next === '' ? undefined : next })}
      />
      <NumberProperty
        label={t('props.gutter')}
        value={rest.gutter}
        min={0}
        max={100}
        onChange={(gutter) => set({ gutter })}
      />
    </>
  )
}

/** The place of the form's button, and its words. */
function ButtonSettings({ rest, zl, set, extend }: FormPartProps) {
  const { t } = useTranslation('design')
  return (
    <>
      <ChoiceProperty
        label={t('props.menuPosition')}
        value={oneOf(MENU_POSITIONS, rest.menuPosition, 'right')}
        options={MENU_POSITIONS.map((value) => ({ value, label: t(`props.menuPositions.${value}`) }))}
        onChange={(menuPosition) => set({ menuPosition })}
      />
      <TextProperty
        label={t('props.submitText')}
        value={textOf(rest.submitText)}
        max={40}
        onChange={(submitText) => set({ submitText: submitText === '' ? undefined : submitText })}
      />
      <TextProperty
        label={t('props.submitTextEn')}
        value={textOf(zl['submitTextEn'])}
        max={40}
        onChange={(next) => extend({ submitTextEn: next === '' ? undefined : next })}
      />
    </>
  )
}

function oneOf<Value extends string>(values: readonly Value[], value: unknown, otherwise: Value): Value {
  return values.find((one) => one === value) ?? otherwise
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

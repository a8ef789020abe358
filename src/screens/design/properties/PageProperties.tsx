import { Accordion, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Design, DesignForm, DesignPage } from '#core/design/design.ts'
import { extensionOf, optionOf, optionText, parseForm } from '#core/design/design.ts'
import type { Patch } from '#core/design/designEdit.ts'
import type { DesignSession } from '#src/screens/design/designSession.ts'

import { PropertyPanel } from './Editable.tsx'
import { RawEditor } from './RawEditor.tsx'
import {
  ChoiceProperty,
  CodeProperty,
  FilledProperty,
  FlagProperty,
  NumberProperty,
  TextProperty,
  orNone,
} from './inputs.tsx'

interface PagePropertiesProps {
  readonly session: DesignSession
  readonly design: Design
  readonly page: DesignPage
}

/** A page: its name and code, the settings of its form (specification §3), and as it is stored. */
export function PageProperties({ session, design, page }: PagePropertiesProps) {
  const { t } = useTranslation('design')
  const { id: pageId, form } = page
  const taken = new Set([...design.pages.values()].filter(({ id }) => id !== pageId).map(({ pageCode }) => pageCode))
  return (
    <Accordion
      multiple
      defaultValue={form === null ? ['advanced'] : ['basic', 'form']}
      variant="separated"
      chevronPosition="left"
      keepMounted={false}
    >
      <Accordion.Item value="basic">
        <Accordion.Control>{t('props.basic')}</Accordion.Control>
        <PropertyPanel>
          <Stack gap="sm">
            <FilledProperty
              first
              label={t('props.pageName')}
              value={page.pageName}
              onChange={(pageName) => session.edit({ kind: 'page-set', pageId, patch: { pageName } })}
            />
            <TextProperty
              label={t('props.nameEn')}
              value={page.pageNameEn ?? ''}
              max={200}
              onChange={(next) => session.edit({ kind: 'page-set', pageId, patch: { pageNameEn: orNone(next) } })}
            />
            <CodeProperty
              value={page.pageCode}
              taken={taken}
              onChange={(code) => session.edit({ kind: 'page-code', pageId, code })}
            />
            <FlagProperty
              label={t('props.repeatable')}
              value={page.repeatable}
              onChange={(repeatable) => session.edit({ kind: 'page-set', pageId, patch: { repeatable } })}
            />
          </Stack>
        </PropertyPanel>
      </Accordion.Item>
      {form !== null && (
        <Accordion.Item value="form">
          <Accordion.Control>{t('props.form')}</Accordion.Control>
          <PropertyPanel>
            <FormSettings form={form} set={(patch) => session.edit({ kind: 'form-set', pageId, patch })} />
          </PropertyPanel>
        </Accordion.Item>
      )}
      <Accordion.Item value="advanced">
        <Accordion.Control>{t('props.advanced')}</Accordion.Control>
        <PropertyPanel>
          <RawEditor
            value={form === null ? optionText(page) : optionOf(form)}
            check={(value) => {
              const parsed = parseForm(JSON.stringify(value))
              return parsed.ok
                ? null
                : 'path' in parsed.error
                  ? parsed.error.path || parsed.error.kind
                  : parsed.error.kind
            }}
            onApply={(value) => {
              const parsed = parseForm(JSON.stringify(value))
              if (parsed.ok) session.edit({ kind: 'form-write', pageId, form: parsed.form })
            }}
          />
        </PropertyPanel>
      </Accordion.Item>
    </Accordion>
  )
}

const FLAGS = ['createdByManual', 'attachment', 'attachmentRequired'] as const
const SIZES = ['auto', 'A4-vertical', 'A4-horizontal'] as const

function FormSettings({ form, set }: { readonly form: DesignForm; readonly set: (patch: Patch) => void }) {
  const { t } = useTranslation('design')
  const { rest } = form
  const zl: Readonly<Record<string, unknown>> = { ...extensionOf(form) }
  const extend = (patch: Patch) => {
    const next = Object.fromEntries(
      Object.entries({ ...zl, ...patch }).filter(([, value]) => value !== undefined && value !== false),
    )
    set({ zl: Object.keys(next).length === 0 ? undefined : next })
  }
  const oneOf = <Value extends string>(values: readonly Value[], value: unknown, otherwise: Value): Value =>
    values.find((one) => one === value) ?? otherwise
  const text = (value: unknown): string => (typeof value === 'string' ? value : '')
  return (
    <Stack gap="sm">
      <ChoiceProperty
        label={t('props.pageSize')}
        value={oneOf(SIZES, zl['pageSize'], 'auto')}
        options={SIZES.map((value) => ({ value, label: t(`props.pageSizes.${value}`) }))}
        onChange={(value) => extend({ pageSize: value === 'auto' ? undefined : value })}
      />
      <ChoiceProperty
        label={t('props.labelPosition')}
        value={oneOf(['top', 'left', 'right'], rest.labelPosition, 'top')}
        options={(['top', 'left', 'right'] as const).map((value) => ({
          value,
          label: t(`props.labelPositions.${value}`),
        }))}
        onChange={(labelPosition) => set({ labelPosition })}
      />
      <TextProperty
        label={t('props.labelSuffix')}
        value={text(rest.labelSuffix)}
        max={10}
        onChange={(labelSuffix) => set({ labelSuffix })}
      />
      <TextProperty
        label={t('props.labelSuffixEn')}
        value={text(zl['labelSuffixEn'])}
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
      <ChoiceProperty
        label={t('props.menuPosition')}
        value={oneOf(['left', 'center', 'right'], rest.menuPosition, 'right')}
        options={(['left', 'center', 'right'] as const).map((value) => ({
          value,
          label: t(`props.menuPositions.${value}`),
        }))}
        onChange={(menuPosition) => set({ menuPosition })}
      />
      <TextProperty
        label={t('props.submitText')}
        value={text(rest.submitText)}
        max={40}
        onChange={(submitText) => set({ submitText: submitText === '' ? undefined : submitText })}
      />
      <TextProperty
        label={t('props.submitTextEn')}
        value={text(zl['submitTextEn'])}
        max={40}
        onChange={(next) => extend({ submitTextEn: next === '' ? undefined : next })}
      />
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

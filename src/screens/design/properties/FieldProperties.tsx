import { Accordion, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Design, DesignColumn, DesignForm } from '#core/design/design.ts'
import type { FieldAddress, Patch } from '#core/design/designEdit.ts'
import { codesIn } from '#core/design/fields.ts'
import type { FieldType } from '#core/form/definition/column.ts'
import { scalarText } from '#core/form/definition/option.ts'
import {
  PALETTE,
  SPANS,
  extensionOf,
  extensionPatch,
  labelIn,
  labelPatch,
  requiredPatch,
  typeOf,
} from '#src/screens/design/columns.ts'
import type { DesignSession } from '#src/screens/design/designSession.ts'

import { FieldRules } from './FieldRules.tsx'
import { FieldValues } from './FieldValues.tsx'
import { PropertyPanel, RulesPanel } from './Editable.tsx'
import { RawEditor } from './RawEditor.tsx'
import { ChoiceProperty, CodeProperty, FlagProperty, TextProperty } from './inputs.tsx'

interface FieldPropertiesProps {
  readonly session: DesignSession
  readonly design: Design
  readonly form: DesignForm
  readonly field: FieldAddress
  readonly column: DesignColumn
}

/** One field: what it is called, what it takes, how it stands, what rules do to it, and as it is stored. */
export function FieldProperties({ session, design, form, field, column }: FieldPropertiesProps) {
  const { t } = useTranslation('design')
  const set = (patch: Patch) => session.edit({ kind: 'field-set', field, patch })
  const extend = (patch: Patch) => set(extensionPatch(column, patch))
  const type = typeOf(column)
  const zh = labelIn(column, 'zh')
  const { labels, note, noteEn, unit, unitEn, placeholderEn, identifier } = extensionOf(column)
  const en = labels?.en ?? ''
  const span = SPANS.find((one) => one === String(column.span)) ?? '12'
  const types = PALETTE.flatMap((group): readonly FieldType[] => group.types).filter(
    (one) => field.table === null || one !== 'dynamic',
  )
  const isText = type === 'title'
  return (
    <Accordion
      multiple
      defaultValue={['basic', 'values']}
      variant="separated"
      chevronPosition="left"
      keepMounted={false}
    >
      <Accordion.Item value="basic">
        <Accordion.Control>{t('props.basic')}</Accordion.Control>
        <PropertyPanel>
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
              onChange={(code) => session.edit({ kind: 'field-code', field, code })}
            />
            <ChoiceProperty
              label={t('props.type')}
              value={type}
              options={types.map((one) => ({ value: one, label: t(`types.${one}`) }))}
              onChange={(next) => set(typePatch(next))}
            />
            {!isText && (
              <>
                <FlagProperty
                  label={t('props.required')}
                  value={column.required === true}
                  onChange={(next) => set(requiredPatch(next, zh))}
                />
                <FlagProperty
                  label={t('props.readOnly')}
                  value={column.readonly === true}
                  onChange={(next) => set({ readonly: next || undefined })}
                />
                <TextProperty
                  long
                  label={t('props.note')}
                  value={note ?? ''}
                  onChange={(next) => extend({ note: next })}
                />
                <TextProperty
                  long
                  label={t('props.noteEn')}
                  value={noteEn ?? ''}
                  onChange={(next) => extend({ noteEn: next })}
                />
                <TextProperty
                  label={t('props.unit')}
                  value={unit ?? ''}
                  max={40}
                  onChange={(next) => extend({ unit: next })}
                />
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
            )}
          </Stack>
        </PropertyPanel>
      </Accordion.Item>
      {!isText && (
        <Accordion.Item value="values">
          <Accordion.Control>{t('props.values')}</Accordion.Control>
          <PropertyPanel>
            <FieldValues column={column} set={set} extend={extend} />
          </PropertyPanel>
        </Accordion.Item>
      )}
      {!isText && (
        <Accordion.Item value="rules">
          <Accordion.Control>{t('props.rules')}</Accordion.Control>
          <RulesPanel>
            {/* A check that was begun at one field is none of the next one's. */}
            <FieldRules
              key={`${field.pageId} ${field.table ?? ''} ${field.prop}`}
              design={design}
              field={field}
              column={column}
              extend={extend}
            />
          </RulesPanel>
        </Accordion.Item>
      )}
      <Accordion.Item value="layout">
        <Accordion.Control>{t('props.layout')}</Accordion.Control>
        <PropertyPanel>
          <Stack gap="sm">
            <ChoiceProperty
              label={t('props.span')}
              value={span}
              options={SPANS.map((one) => ({ value: one, label: t(`props.spans.s${one}`) }))}
              onChange={(next) => set({ span: Number(next) })}
            />
            <TextProperty
              label={t('props.placeholder')}
              value={typeof column.placeholder === 'string' ? column.placeholder : ''}
              max={200}
              onChange={(next) => set({ placeholder: next === '' ? undefined : next })}
            />
            <TextProperty
              label={t('props.placeholderEn')}
              value={placeholderEn ?? ''}
              max={200}
              onChange={(next) => extend({ placeholderEn: next })}
            />
          </Stack>
        </PropertyPanel>
      </Accordion.Item>
      <Accordion.Item value="advanced">
        <Accordion.Control>{t('props.advanced')}</Accordion.Control>
        <PropertyPanel>
          <RawEditor
            key={field.prop}
            value={column}
            check={(value) => wrongColumn(form, field, value)}
            onApply={(value) =>
              session.edit({
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
        </PropertyPanel>
      </Accordion.Item>
    </Accordion>
  )

  function typePatch(next: FieldType): Patch {
    // What another type has no use for stays: whoever changes their mind finds it again.
    return {
      type: next,
      ...(next === 'dynamic' && column.children === undefined ? { children: { type: 'crud', column: [] } } : {}),
    }
  }
}

/** The key of what is wrong with a column as a person has written it; null where it can be read on the page. */
function wrongColumn(
  form: DesignForm,
  { table, prop }: FieldAddress,
  value: Readonly<Record<string, unknown>>,
): string | null {
  const others = [...codesIn(form, table)].filter((code) => code !== prop)
  const code = scalarText(value['prop']) ?? prop
  return others.includes(code) ? code : null
}

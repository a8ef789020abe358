import { Accordion } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Design, DesignColumn, DesignForm } from '#core/design/design.ts'
import type { DesignFieldKey, Patch } from '#core/design/designEdit.ts'
import { extensionPatch, typeOf } from '#src/screens/design/columns.ts'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'

import { FieldBasics } from './FieldBasics.tsx'
import { FieldLayout } from './FieldLayout.tsx'
import { FieldRules } from './FieldRules.tsx'
import { FieldValues } from './FieldValues.tsx'
import { PropertyPanel, RulesPanel } from './Editable.tsx'
import { StoredField } from './StoredField.tsx'

interface FieldPropertiesProps {
  readonly editor: DesignEditor
  readonly design: Design
  readonly form: DesignForm
  readonly field: DesignFieldKey
  readonly column: DesignColumn
}

/** All properties of one field: its label, its values, its layout, its rules, and its stored text. */
export function FieldProperties({ editor, design, form, field, column }: FieldPropertiesProps) {
  const { t } = useTranslation('design')
  const set = (patch: Patch) => editor.edit({ kind: 'field-set', field, patch })
  const extend = (patch: Patch) => set(extensionPatch(column, patch))
  const isText = typeOf(column) === 'title'
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
          <FieldBasics editor={editor} form={form} field={field} column={column} set={set} extend={extend} />
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
            {/* A check that was begun at one field must not move to the next one. */}
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
          <FieldLayout column={column} set={set} extend={extend} />
        </PropertyPanel>
      </Accordion.Item>
      <Accordion.Item value="advanced">
        <Accordion.Control>{t('props.advanced')}</Accordion.Control>
        <PropertyPanel>
          <StoredField editor={editor} form={form} field={field} column={column} />
        </PropertyPanel>
      </Accordion.Item>
    </Accordion>
  )
}

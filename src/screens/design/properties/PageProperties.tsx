import { Accordion, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Design, DesignPage } from '#core/design/design.ts'
import { optionOf, optionText, parseForm } from '#core/design/design.ts'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'

import { PropertyPanel } from './Editable.tsx'
import { FormSettings } from './FormSettings.tsx'
import { RawEditor } from './RawEditor.tsx'
import { CodeProperty, FilledProperty, FlagProperty, TextProperty, orNone } from './inputs.tsx'

interface PagePropertiesProps {
  readonly editor: DesignEditor
  readonly design: Design
  readonly page: DesignPage
}

/** A page: its name and code, the settings of its form (specification §3), and its stored text. */
export function PageProperties({ editor, design, page }: PagePropertiesProps) {
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
              onChange={(pageName) => editor.edit({ kind: 'page-set', pageId, patch: { pageName } })}
            />
            <TextProperty
              label={t('props.nameEn')}
              value={page.pageNameEn ?? ''}
              max={200}
              onChange={(next) => editor.edit({ kind: 'page-set', pageId, patch: { pageNameEn: orNone(next) } })}
            />
            <CodeProperty
              value={page.pageCode}
              taken={taken}
              onChange={(code) => editor.edit({ kind: 'page-code', pageId, code })}
            />
            <FlagProperty
              label={t('props.repeatable')}
              value={page.repeatable}
              onChange={(repeatable) => editor.edit({ kind: 'page-set', pageId, patch: { repeatable } })}
            />
          </Stack>
        </PropertyPanel>
      </Accordion.Item>
      {form !== null && (
        <Accordion.Item value="form">
          <Accordion.Control>{t('props.form')}</Accordion.Control>
          <PropertyPanel>
            <FormSettings form={form} set={(patch) => editor.edit({ kind: 'form-set', pageId, patch })} />
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
              if (parsed.ok) editor.edit({ kind: 'form-write', pageId, form: parsed.form })
            }}
          />
        </PropertyPanel>
      </Accordion.Item>
    </Accordion>
  )
}

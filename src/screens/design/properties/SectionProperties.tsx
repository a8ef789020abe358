import { Button, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DesignSection } from '#core/design/design.ts'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'

import { TextProperty, orNone } from './inputs.tsx'

/** A titled part of a page. */
export function SectionProperties({
  editor,
  pageId,
  section,
}: {
  readonly editor: DesignEditor
  readonly pageId: string
  readonly section: DesignSection
}) {
  const { t } = useTranslation('design')
  const { key, rest } = section
  return (
    <Stack gap="sm">
      <TextProperty
        first
        label={t('props.sectionName')}
        value={typeof rest.label === 'string' ? rest.label : ''}
        max={200}
        onChange={(label) => editor.edit({ kind: 'section-set', pageId, key, patch: { label } })}
      />
      <TextProperty
        label={t('props.nameEn')}
        value={typeof rest.labelEn === 'string' ? rest.labelEn : ''}
        max={200}
        onChange={(next) =>
          editor.edit({ kind: 'section-set', pageId, key, patch: { labelEn: orNone(next) ?? undefined } })
        }
      />
      <Button variant="default" size="sm" h={40} onClick={() => editor.edit({ kind: 'section-join', pageId, key })}>
        {t('props.joinSection')}
      </Button>
    </Stack>
  )
}

import { Button, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DesignSection } from '#core/design/design.ts'
import type { DesignSession } from '#src/screens/design/designSession.ts'

import { TextProperty, orNone } from './inputs.tsx'

/** A titled part of a page. */
export function SectionProperties({
  session,
  pageId,
  section,
}: {
  readonly session: DesignSession
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
        onChange={(label) => session.edit({ kind: 'section-set', pageId, key, patch: { label } })}
      />
      <TextProperty
        label={t('props.nameEn')}
        value={typeof rest.labelEn === 'string' ? rest.labelEn : ''}
        max={200}
        onChange={(next) =>
          session.edit({ kind: 'section-set', pageId, key, patch: { labelEn: orNone(next) ?? undefined } })
        }
      />
      <Button variant="default" size="sm" h={40} onClick={() => session.edit({ kind: 'section-join', pageId, key })}>
        {t('props.joinSection')}
      </Button>
    </Stack>
  )
}

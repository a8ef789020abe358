import { Group, Radio, Stack } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '#src/ui/PageFrame.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import classes from '../export.module.css'
import { FieldChooser } from './FieldChooser.tsx'
import { chosenKeys, pagesOf, pagesToChoose } from './fieldPages.ts'
import type { SectionProps } from './section.ts'

/** Which pages and fields. */
export function PagesSection({ definition, facts, put }: SectionProps) {
  const { t } = useTranslation('dataExport')
  const language = useLanguage()
  const pages = useMemo(() => pagesToChoose(facts, language), [facts, language])
  const chosen = useMemo(() => chosenKeys(pages, definition), [pages, definition])
  const pageCount = pages.filter(({ pageId }) => definition.pages?.some((one) => one.pageId === pageId)).length
  return (
    <Panel title={t('pages.title')}>
      <Stack gap="sm">
        <Radio.Group
          size="md"
          aria-label={t('pages.title')}
          value={definition.pages === null ? 'all' : 'some'}
          onChange={(value) => put({ pages: value === 'all' ? null : pagesOf(pages, chosen) })}
        >
          <Group>
            <Radio size="md" value="all" label={t('pages.all')} />
            <Radio size="md" value="some" label={t('pages.some')} />
          </Group>
        </Radio.Group>
        {definition.pages !== null && (
          <>
            <FieldChooser
              label={t('pages.some')}
              pages={pages}
              chosen={chosen}
              onChange={(next) => put({ pages: pagesOf(pages, next) })}
            />
            <output className={classes.hint}>{t('pages.chosen', { pages: pageCount, fields: chosen.size })}</output>
          </>
        )}
      </Stack>
    </Panel>
  )
}

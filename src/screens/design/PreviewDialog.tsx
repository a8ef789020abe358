import { Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Design } from '#core/design/design.ts'
import { childrenOf, columnsOf, foldersOf } from '#core/design/design.ts'
import { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'
import { pageNameIn } from '#core/form/definition/inLanguage.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import { FormView } from '#src/form/FormView.tsx'
import { PreviewSheet, PreviewTools, widthOf } from '#src/form/PreviewTools.tsx'
import type { PageWidth } from '#src/form/PreviewTools.tsx'
import { Note } from '#src/ui/Note.tsx'
import { dayOf, fullTime } from '#src/ui/words/format.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'

import { labelIn } from './columns.ts'

interface PreviewDialogProps {
  readonly design: Design
  readonly place: { readonly folderId: string; readonly pageId: string }
  readonly onClose: () => void
}

/** The page as a tablet shows it, to try out: rules run, and nothing is stored. */
export function PreviewDialog({ design, place, onClose }: PreviewDialogProps) {
  const { t } = useTranslation(['design', 'common'])
  const own = useLanguage()
  const [language, setLanguage] = useState(own)
  const [chosenWidth, setWidth] = useState<PageWidth | null>(null)
  const [round, setRound] = useState(0)
  const page = design.pages.get(place.pageId)
  const folder = design.folders.find(({ id }) => id === place.folderId)
  const form = useMemo(() => {
    if (page === undefined || folder === undefined) return null
    const result = new CompiledVersion(foldersOf(design)).page({ folder: folder.folderCode, page: page.pageCode })
    if (!result.ok) return null
    const now = new Date()
    return createFormState(
      result.compiled,
      { values: {}, missing: {} },
      { moment: { today: dayOf(now), now: fullTime(now.toISOString()) }, readOnly: false, isNew: true },
    )
    // A new `round` makes a new, empty form.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [design, page, folder, round])
  const tables =
    page === undefined || page.form === null
      ? []
      : [...columnsOf(page.form)].flatMap(({ column }) =>
          column.type === 'dynamic' && childrenOf(column).length === 0
            ? [labelIn(column, language) || column.prop]
            : [],
        )
  const width = chosenWidth ?? widthOf(form?.compiled.page.look.size, 'vertical')
  return (
    <Sheet
      onClose={onClose}
      fullScreen
      title={t('preview.title', { name: page === undefined ? '' : pageNameIn(language, page) })}
    >
      <PreviewTools
        language={language}
        onLanguage={setLanguage}
        width={width}
        onWidth={setWidth}
        onAgain={() => setRound(round + 1)}
      >
        <Text size="sm" c="dimmed">
          {t('preview.hint')}
        </Text>
      </PreviewTools>
      {tables.length > 0 && <Note tone="warning">{t('preview.emptyTables', { names: tables.join('、') })}</Note>}
      {form === null ? (
        <Note tone="warning">{t('preview.broken')}</Note>
      ) : (
        <PreviewSheet width={width} language={language}>
          <FormView key={`${round} ${language}`} state={form} mode="input" language={language} />
        </PreviewSheet>
      )}
    </Sheet>
  )
}

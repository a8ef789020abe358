import { Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { consequencesOf } from '#core/design/consequences.ts'
import type { Design } from '#core/design/design.ts'
import type { DesignEdit } from '#core/design/designEdit.ts'
import { applyEdit } from '#core/design/edit.ts'
import { useServerQuery } from '#src/data/server.ts'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'
import { ConsequenceLines } from '#src/ui/dialogs/ConsequenceLines.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'
import { pageNameIn } from '#core/form/definition/inLanguage.ts'

/** A visit or page that is about to be removed, with its name. */
export interface Removal {
  readonly name: string
  readonly edit: Extract<DesignEdit, { kind: 'folder-remove' | 'page-remove' }>
}

interface RemoveDialogProps {
  readonly projectId: string
  readonly crfId: string
  readonly design: Design
  readonly removal: Removal
  readonly onRemove: () => void
  readonly onClose: () => void
}

/**
 * Asks before a visit or page is removed, and names all that goes with it: pages, fields, rules that read them, and
 * entered data.
 */
export function RemoveDialog({
  projectId,
  crfId,
  design,
  removal: { name, edit },
  onRemove,
  onClose,
}: RemoveDialogProps) {
  const { t } = useTranslation('design')
  const language = useLanguage()
  const entered = useServerQuery('version.designEntered', { params: { id: crfId }, projectId })
  const consequences = useMemo(
    () => consequencesOf(design, applyEdit(design, edit), language),
    [design, edit, language],
  )
  const isGone = ({ folderId, pageId }: { readonly folderId: string; readonly pageId: string }) =>
    folderId === edit.folderId && (edit.kind === 'folder-remove' || pageId === edit.pageId)
  const filled = entered.state === 'ready' ? entered.value.filter((one) => one.patients > 0 && isGone(one)) : []
  const pageName = (pageId: string) => {
    const page = design.pages.get(pageId)
    return page === undefined ? '' : pageNameIn(language, page)
  }
  const text = (
    <Stack gap="sm">
      <ConsequenceLines of={consequences} />
      {edit.kind === 'page-remove' &&
        design.folders.filter(({ pageIds }) => pageIds.includes(edit.pageId)).length > 1 && (
          <Text size="sm">{t('remove.elsewhere')}</Text>
        )}
      {filled.length > 0 && (
        <Note tone="warning" title={t('remove.entered')}>
          {filled
            .map(({ pageId, patients }) => t('remove.enteredOn', { page: pageName(pageId), count: patients }))
            .join('；')}
        </Note>
      )}
      {entered.state === 'failed' && <Text size="sm">{t('remove.notKnown')}</Text>}
      <Text size="sm">{t('remove.back')}</Text>
    </Stack>
  )
  return (
    <ConfirmDialog
      opened
      danger
      title={t(edit.kind === 'folder-remove' ? 'remove.visit' : 'remove.page', { name })}
      text={text}
      submit={t('actions.remove')}
      onConfirm={onRemove}
      onClose={onClose}
    />
  )
}

import { Button, Stack, TextInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'
import type { Design } from '#core/design/design.ts'
import { foldersOf } from '#core/design/design.ts'
import { useServerAction } from '#src/data/server.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'
import { useForm } from '#src/ui/useForm.ts'

interface SaveTemplateDialogProps {
  readonly projectId: string
  readonly design: Design
  /** What becomes a template: a visit, or one page of it. */
  readonly place: { readonly folderId: string; readonly pageId: string | null }
  readonly onClose: () => void
}

/** Saves a page, or a visit with its pages, as a template. */
export function SaveTemplateDialog({ projectId, design, place, onClose }: SaveTemplateDialogProps) {
  const { t } = useTranslation(['design', 'common'])
  const errorText = useErrorText()
  const act = useServerAction()
  const folder = foldersOf(design).find(({ id }) => id === place.folderId)
  const pages = folder?.pages.filter(({ id }) => place.pageId === null || id === place.pageId) ?? []
  const form = useForm({
    initialValues: { name: (place.pageId === null ? folder?.folderName : pages[0]?.pageName) ?? '', remark: '' },
    validate: { name: (value) => (value.trim() === '' ? t('filled') : null) },
  })
  const [error, setError] = useState<ApiError | null>(null)
  const [saved, setSaved] = useState(false)
  const save = async ({ name, remark }: { readonly name: string; readonly remark: string }) => {
    if (folder === undefined) return
    const result = await act('template.save', {
      body: {
        projectId,
        kind: place.pageId === null ? 'folder' : 'page',
        name: name.trim(),
        remark: remark.trim() === '' ? null : remark.trim(),
        folder: templateFolder(folder, pages),
      },
      projectId,
    })
    setError(result.ok ? null : result.error)
    setSaved(result.ok)
  }
  return (
    <Sheet onClose={onClose} title={t('templates.save')}>
      {saved ? (
        <SavedNote onClose={onClose} />
      ) : (
        <form onSubmit={form.onSubmit((values) => save(values))}>
          <Stack>
            <TextInput
              size="md"
              label={t('templates.name')}
              maxLength={200}
              withAsterisk
              {...form.getInputProps('name')}
            />
            <Textarea size="md" label={t('templates.remark')} maxLength={1000} {...form.getInputProps('remark')} />
            {error !== null && (
              <Note tone="error" live>
                {errorText(error)}
              </Note>
            )}
            <SheetFoot>
              <Button variant="default" size="md" onClick={onClose}>
                {t('common:action.cancel')}
              </Button>
              <Button size="md" type="submit" loading={form.submitting}>
                {t('templates.save')}
              </Button>
            </SheetFoot>
          </Stack>
        </form>
      )}
    </Sheet>
  )
}

/** A visit with some of its pages, as a template stores it: ids and places belong to the draft and are left out. */
function templateFolder({ folderName, folderNameEn, folderCode, schedule }: FolderRow, pages: FolderRow['pages']) {
  return {
    folderName,
    ...(folderNameEn === undefined ? {} : { folderNameEn }),
    folderCode,
    pages: pages.map(({ id: _id, sort: _sort, ...page }) => page),
    ...(schedule === undefined ? {} : { schedule }),
  }
}

/** Says that the template is saved, and closes the dialog. */
function SavedNote({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['design', 'common'])
  return (
    <Stack>
      <Note tone="done" live>
        {t('templates.saved')}
      </Note>
      <SheetFoot>
        <Button size="md" onClick={onClose}>
          {t('common:action.close')}
        </Button>
      </SheetFoot>
    </Stack>
  )
}

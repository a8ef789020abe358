import { Button, Menu } from '@mantine/core'
import { IconBooks, IconFilePlus, IconFolderPlus } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { freeCode } from '#core/design/fields.ts'
import { pageNameIn } from '#core/form/definition/inLanguage.ts'
import { newId } from '#core/ids.ts'
import { SaveTemplateDialog } from '#src/screens/design/SaveTemplateDialog.tsx'
import { TemplatesDialog } from '#src/screens/design/TemplatesDialog.tsx'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'
import type { Selection } from '#src/screens/design/selection.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import classes from './tree.module.css'

interface AddButtonsProps {
  readonly editor: DesignEditor
  readonly projectId: string
  readonly selection: Selection
  /** The visit that gets new pages. */
  readonly folderId: string | null
  /** Whether there are pages that this visit does not have. */
  readonly hasOthers: boolean
}

/** Buttons that add a visit, a page, a page of another visit or a template, and one that saves a template. */
export const AddButtons = memo(function AddButtons({
  editor,
  projectId,
  folderId,
  selection,
  hasOthers,
}: AddButtonsProps) {
  const { t } = useTranslation('design')
  const { addFolder, addPage } = useAdding(editor, folderId, selection)
  return (
    <>
      <Button
        size="xs"
        className={classes.act}
        variant="light"
        leftSection={<IconFolderPlus size={16} aria-hidden="true" />}
        onClick={addFolder}
      >
        {t('tree.addFolder')}
      </Button>
      {folderId !== null && (
        <Button
          size="xs"
          className={classes.act}
          variant="light"
          leftSection={<IconFilePlus size={16} aria-hidden="true" />}
          onClick={addPage}
        >
          {t('tree.addPage')}
        </Button>
      )}
      {folderId !== null && hasOthers && <PlaceMenu editor={editor} folderId={folderId} />}
      <TemplateButtons editor={editor} projectId={projectId} folderId={folderId} selection={selection} />
    </>
  )
})

/** Adds and selects an empty visit after the selected one, or an empty page at the end of a visit. */
function useAdding(editor: DesignEditor, folderId: string | null, selection: Selection) {
  const { t } = useTranslation('design')
  const addFolder = () => {
    const { design } = editor.view()
    const id = newId()
    const folderCode = freeCode('V1', new Set(design.folders.map((one) => one.folderCode)))
    const at = design.folders.findIndex((one) => one.id === selection?.folderId)
    editor.edit({
      kind: 'folder-add',
      folder: { id, folderName: t('tree.folderName'), folderNameEn: null, folderCode, schedule: null, pageIds: [] },
      at: at < 0 ? design.folders.length : at + 1,
    })
    editor.select({ of: 'folder', folderId: id })
  }
  const addPage = () => {
    const { design } = editor.view()
    const folder = design.folders.find(({ id }) => id === folderId)
    if (folder === undefined) return
    const pageId = newId()
    const pageCode = freeCode('page1', new Set([...design.pages.values()].map((one) => one.pageCode)))
    const form = { rest: {}, sections: [{ key: '', rest: {}, columns: [] }] }
    editor.edit({
      kind: 'page-add',
      page: {
        id: pageId,
        pageName: t('tree.pageName'),
        pageNameEn: null,
        pageCode,
        repeatable: false,
        form,
        stored: null,
      },
      folderId: folder.id,
      at: folder.pageIds.length,
    })
    editor.select({ of: 'page', folderId: folder.id, pageId })
  }
  return { addFolder, addPage }
}

/** Puts a template into the design, or saves the selection as a template. */
function TemplateButtons({ editor, projectId, folderId, selection }: Omit<AddButtonsProps, 'hasOthers'>) {
  const { t } = useTranslation('design')
  const [dialog, setDialog] = useState<'templates' | 'save' | null>(null)
  return (
    <>
      <Button
        size="xs"
        className={classes.act}
        variant="default"
        leftSection={<IconBooks size={16} aria-hidden="true" />}
        onClick={() => setDialog('templates')}
      >
        {t('templates.open')}
      </Button>
      {selection !== null && (
        <Button size="xs" className={classes.act} variant="default" onClick={() => setDialog('save')}>
          {t('templates.save')}
        </Button>
      )}
      {dialog === 'templates' && (
        <TemplatesDialog editor={editor} folderId={folderId} onClose={() => setDialog(null)} />
      )}
      {dialog === 'save' && selection !== null && (
        <SaveTemplateDialog
          projectId={projectId}
          design={editor.view().design}
          place={{ folderId: selection.folderId, pageId: selection.of === 'folder' ? null : selection.pageId }}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  )
}

/** Offers pages of other visits, to use them in this visit too. */
function PlaceMenu({ editor, folderId }: { readonly editor: DesignEditor; readonly folderId: string }) {
  const { t } = useTranslation('design')
  const language = useLanguage()
  const [opened, setOpened] = useState(false)
  const { design } = editor.view()
  const folder = design.folders.find(({ id }) => id === folderId)
  const others =
    !opened || folder === undefined ? [] : [...design.pages.values()].filter(({ id }) => !folder.pageIds.includes(id))
  const place = (pageId: string) => {
    editor.edit({ kind: 'page-place', pageId, folderId, at: folder?.pageIds.length ?? 0 })
    editor.select({ of: 'page', folderId, pageId })
  }
  return (
    <Menu position="bottom-start" opened={opened} onChange={setOpened}>
      <Menu.Target>
        <Button size="xs" className={classes.act} variant="default">
          {t('tree.placeHere')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {others.map((page) => (
          <Menu.Item key={page.id} onClick={() => place(page.id)}>
            {pageNameIn(language, page)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

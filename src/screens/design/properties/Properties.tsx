import { CloseButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Design } from '#core/design/design.ts'
import classes from '#src/screens/design/design.module.css'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'
import type { Selection } from '#src/screens/design/selection.ts'
import { selectedColumns } from '#src/screens/design/selection.ts'

import { CanEditContext, Editable, MayRuleContext } from './Editable.tsx'
import { FieldProperties } from './FieldProperties.tsx'
import { FolderProperties } from './FolderProperties.tsx'
import { ManyProperties } from './ManyProperties.tsx'
import { PageProperties } from './PageProperties.tsx'
import { SectionProperties } from './SectionProperties.tsx'

interface PropertiesProps {
  readonly editor: DesignEditor
  readonly design: Design
  readonly selection: Selection
  readonly canEdit: boolean
  readonly mayRule: boolean
  /** Where the properties are a drawer: whether it is open. */
  readonly opened: boolean
  readonly onClose: () => void
}

/** The properties of the selection, in plain words. */
export function Properties(props: PropertiesProps) {
  const { t } = useTranslation('design')
  return (
    <section className={classes.properties} aria-label={t('props.title')} data-opened={props.opened || undefined}>
      <div className={classes.propertiesHead}>
        <h2 className={classes.paneTitle}>{t('props.title')}</h2>
        <CloseButton
          iconSize={20}
          className={classes.drawerClose}
          aria-label={t('props.close')}
          onClick={props.onClose}
        />
      </div>
      <CanEditContext value={props.canEdit}>
        <MayRuleContext value={props.mayRule}>
          <Selected editor={props.editor} design={props.design} selection={props.selection} />
        </MayRuleContext>
      </CanEditContext>
    </section>
  )
}

function Selected({ editor, design, selection }: Pick<PropertiesProps, 'editor' | 'design' | 'selection'>) {
  const { t } = useTranslation('design')
  if (selection === null) return <p className={classes.hint}>{t('props.nothing')}</p>
  if (selection.of === 'folder') {
    const folder = design.folders.find(({ id }) => id === selection.folderId)
    return folder === undefined ? null : (
      <Editable>
        <FolderProperties key={folder.id} editor={editor} design={design} folder={folder} />
      </Editable>
    )
  }
  const page = design.pages.get(selection.pageId)
  if (page === undefined) return null
  if (selection.of === 'page' || page.form === null)
    return <PageProperties key={page.id} editor={editor} design={design} page={page} />
  if (selection.of === 'section') {
    const section = page.form.sections.find(({ key }) => key === selection.key)
    return section === undefined ? null : (
      <Editable>
        <SectionProperties key={section.key} editor={editor} pageId={page.id} section={section} />
      </Editable>
    )
  }
  const columns = selectedColumns(design, selection)
  const [column] = columns
  if (column === undefined) return null
  const place = { pageId: page.id, table: selection.table }
  if (columns.length > 1)
    return (
      <Editable>
        <ManyProperties editor={editor} place={place} columns={columns} />
      </Editable>
    )
  return (
    <FieldProperties
      key={`${page.id} ${selection.table ?? ''}`}
      editor={editor}
      design={design}
      form={page.form}
      field={{ ...place, prop: column.prop }}
      column={column}
    />
  )
}

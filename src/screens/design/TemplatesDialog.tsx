import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TemplateSummary } from '#core/api/calls/template.ts'
import type { ApiError } from '#core/api/errors.ts'
import { insertTemplate } from '#core/design/insertTemplate.ts'
import { newId } from '#core/ids.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'
import { useSession } from '#src/session/useSession.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'

import type { DesignEditor } from './designEditor.ts'

interface TemplatesDialogProps {
  readonly editor: DesignEditor
  /** The visit that a page goes into; null where there is no visit yet. */
  readonly folderId: string | null
  readonly onClose: () => void
}

/** The starter library and the organisation's templates, to look at and to put into the design. */
export function TemplatesDialog({ editor, folderId, onClose }: TemplatesDialogProps) {
  const { t } = useTranslation(['design', 'common'])
  const errorText = useErrorText()
  const templates = useServerQuery('template.list', {})
  const { insert, remove, busy, error } = useTemplateActions({ editor, folderId, onClose })
  return (
    <Sheet isTall onClose={onClose} size="xl" title={t('templates.title')}>
      <Stack>
        {error !== null && (
          <Note tone="error" live>
            {errorText(error)}
          </Note>
        )}
        {folderId === null && <Note tone="info">{t('templates.visitFirst')}</Note>}
        <Loaded of={templates} rows={8}>
          {(all) => (
            <TemplateTable
              templates={all}
              actionsOf={(one) => (
                <TemplateActions
                  template={one}
                  isBusy={busy === one.id}
                  mayInsert={one.kind === 'folder' || folderId !== null}
                  onInsert={() => void insert(one)}
                  onRemove={() => void remove(one)}
                />
              )}
            />
          )}
        </Loaded>
      </Stack>
    </Sheet>
  )
}

/** Puts a template into the design and selects the new part, or removes a template from the organisation. */
function useTemplateActions({ editor, folderId, onClose }: TemplatesDialogProps) {
  const { call } = useSession()
  const act = useServerAction()
  const [error, setError] = useState<ApiError | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const insert = async ({ id, kind }: TemplateSummary) => {
    setBusy(id)
    const read = await call('template.detail', { params: { id } })
    setBusy(null)
    if (!read.ok) return setError(read.error)
    const edits = insertTemplate(editor.view().design, folderId ?? '', { kind, folder: read.value.folder }, newId)
    editor.edit(...edits)
    const [first] = edits
    if (first?.kind === 'page-add') editor.select({ of: 'page', folderId: first.folderId, pageId: first.page.id })
    else if (first?.kind === 'folder-add') editor.select({ of: 'folder', folderId: first.folder.id })
    return onClose()
  }
  const remove = async ({ id }: TemplateSummary) => {
    const removed = await act('template.remove', { query: { ids: id } })
    setError(removed.ok ? null : removed.error)
  }
  return { insert, remove, busy, error }
}

interface TemplateTableProps {
  readonly templates: readonly TemplateSummary[]
  readonly actionsOf: (template: TemplateSummary) => ReactNode
}

/** A table of templates, each with its actions. */
function TemplateTable({ templates, actionsOf }: TemplateTableProps) {
  const { t } = useTranslation('design')
  const language = useLanguage()
  const nameOf = ({ name, nameEn }: TemplateSummary) => (language === 'en' ? (nameEn ?? name) : name)
  return (
    <DataTable
      caption={t('templates.title')}
      rows={templates}
      rowKey={({ id }) => id}
      columns={[
        { key: 'name', title: t('templates.name'), cell: (one) => <strong>{nameOf(one)}</strong> },
        {
          key: 'kind',
          title: t('templates.kind'),
          short: true,
          cell: ({ kind, source }) => `${t(`templates.kinds.${kind}`)} · ${t(`templates.sources.${source}`)}`,
        },
        { key: 'fields', title: t('templates.fields'), short: true, cell: ({ fields }) => fields },
        { key: 'made', title: t('templates.made'), short: true, cell: ({ createdByName }) => createdByName ?? '' },
        { key: 'action', title: t('templates.action'), cell: actionsOf },
      ]}
    />
  )
}

interface TemplateActionsProps {
  readonly template: TemplateSummary
  /** Whether this template is being put into the design. */
  readonly isBusy: boolean
  readonly mayInsert: boolean
  readonly onInsert: () => void
  readonly onRemove: () => void
}

/** The actions for one template. */
function TemplateActions({ template, isBusy, mayInsert, onInsert, onRemove }: TemplateActionsProps) {
  const { t } = useTranslation('design')
  return (
    <Group gap="xs" wrap="nowrap">
      <Button size="compact-sm" h={36} variant="light" loading={isBusy} disabled={!mayInsert} onClick={onInsert}>
        {t('templates.insert')}
      </Button>
      <Button
        size="compact-sm"
        h={36}
        variant="default"
        component="a"
        href={`/template/${template.id}/preview`}
        target="_blank"
        rel="noopener"
      >
        {t('actions.preview')}
      </Button>
      {template.mayRemove && (
        <Button size="compact-sm" h={36} variant="subtle" color="red.9" onClick={onRemove}>
          {t('actions.remove')}
        </Button>
      )}
    </Group>
  )
}

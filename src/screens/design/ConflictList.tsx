import { Button, Group } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Design } from '#core/design/design.ts'
import { columnAt } from '#core/design/design.ts'
import type { DesignEdit } from '#core/design/designEdit.ts'
import type { DesignConflict } from '#core/design/merge.ts'
import { pageNameIn, visitNameIn } from '#core/form/definition/inLanguage.ts'
import { isRecord } from '#core/form/definition/option.ts'
import type { Raw } from '#core/form/definition/option.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { extensionOf, labelIn, labelPatch } from './columns.ts'
import type { DesignEditor, DesignView, OpenConflict } from './designEditor.ts'

/** What two designers have both changed: one value stands, and this user can choose the other. */
export function ConflictList({
  editor,
  view: { design, conflicts },
}: {
  readonly editor: DesignEditor
  readonly view: DesignView
}) {
  const { t } = useTranslation('design')
  const language = useLanguage()
  const showValue = ({ path }: OpenConflict, value: unknown): string =>
    value === undefined || value === null
      ? t('conflicts.removed')
      : path.length === 0
        ? t('conflicts.edited')
        : typeof value === 'string'
          ? value
          : JSON.stringify(value)
  const put = (conflict: OpenConflict, edits: readonly DesignEdit[]) => {
    editor.edit(...edits)
    editor.settle(conflict)
  }
  const choices = (conflict: OpenConflict) => {
    const other = conflict.stands === 'mine' ? ('theirs' as const) : ('mine' as const)
    const edits = editsFor(design, conflict, conflict[other])
    return (
      <Group gap="xs">
        <Button size="compact-sm" h={32} variant="default" onClick={() => editor.settle(conflict)}>
          {t(conflict.stands === 'mine' ? 'conflicts.keep' : 'conflicts.keepTheirs')}
        </Button>
        {edits.length > 0 && (
          <Button size="compact-sm" h={32} variant="light" onClick={() => put(conflict, edits)}>
            {t(other === 'theirs' ? 'conflicts.take' : 'conflicts.putMine')}
          </Button>
        )}
      </Group>
    )
  }
  return (
    <Note tone="warning" title={t('conflicts.title', { count: conflicts.length })} live>
      <p>{t('conflicts.hint')}</p>
      <DataTable
        caption={t('conflicts.title', { count: conflicts.length })}
        rows={conflicts}
        rowKey={(conflict) => JSON.stringify([conflict.place, conflict.path])}
        columns={[
          { key: 'where', title: t('conflicts.where'), cell: (conflict) => placeName(design, conflict, language, t) },
          { key: 'mine', title: t('conflicts.mine'), cell: (conflict) => showValue(conflict, conflict.mine) },
          { key: 'theirs', title: t('conflicts.theirs'), cell: (conflict) => showValue(conflict, conflict.theirs) },
          {
            key: 'stands',
            title: t('conflicts.stands'),
            cell: ({ stands }) => t(stands === 'mine' ? 'conflicts.mine' : 'conflicts.theirs'),
          },
          { key: 'decide', title: '', cell: choices },
        ]}
      />
    </Note>
  )
}

/** Properties that have words of their own; others are named as they are stored. */
const NAMED = {
  prop: 'code',
  label: 'label',
  'zl.labels.en': 'labelEn',
  type: 'type',
  required: 'required',
  readonly: 'readOnly',
  span: 'span',
  dicData: 'choices',
  value: 'initial',
  placeholder: 'placeholder',
  unique: 'unique',
  encode: 'encode',
  maxlength: 'maxlength',
  'zl.note': 'note',
  'zl.noteEn': 'noteEn',
  'zl.unit': 'unit',
  'zl.unitEn': 'unitEn',
  'zl.placeholderEn': 'placeholderEn',
  labelEn: 'nameEn',
  'zl.identifier': 'identifier',
  'zl.min': 'min',
  'zl.max': 'max',
  'zl.plausible': 'plausible',
  'zl.reference': 'reference',
  'zl.precision': 'precision',
  'zl.validation': 'validation',
  'zl.show': 'show',
  'zl.require': 'require',
  'zl.readOnlyWhen': 'readOnlyWhen',
  'zl.calculate': 'calculate',
  'zl.checks': 'checks',
  folderName: 'folderName',
  folderNameEn: 'nameEn',
  pageNameEn: 'nameEn',
  schedule: 'plan',
  pageName: 'pageName',
  repeatable: 'repeatable',
  folderCode: 'code',
  pageCode: 'code',
  form: 'form',
} as const

function isNamed(path: string): path is keyof typeof NAMED {
  return Object.hasOwn(NAMED, path)
}

function placeName(
  { folders, pages }: Design,
  { place, path }: DesignConflict,
  language: 'zh' | 'en',
  t: TFunction<'design'>,
): string {
  const stored = path.join('.')
  const property = isNamed(stored) ? t(`props.${NAMED[stored]}`) : stored
  const folder = place.of === 'folder' ? folders.find(({ id }) => id === place.folderId) : undefined
  if (place.of === 'folder') return [folder === undefined ? '' : visitNameIn(language, folder), property].join(' · ')
  const page = pages.get(place.pageId)
  const column =
    place.of === 'field' && page !== undefined && page.form !== null ? columnAt(page.form, null, place.prop) : null
  return [
    page === undefined ? '' : pageNameIn(language, page),
    column === null ? '' : labelIn(column, language),
    property,
  ]
    .filter((part) => part !== '')
    .join(' · ')
}

/**
 * The edits that put the other value in place; none where the difference is no single property and must be entered by
 * hand.
 */
function editsFor({ folders, pages }: Design, { place, path }: DesignConflict, value: unknown): readonly DesignEdit[] {
  const [key, ...inside] = path
  if (key === undefined) {
    // A part that is gone can be found in the history of the draft.
    if (value !== null) return []
    if (place.of === 'field') return [{ kind: 'fields-remove', pageId: place.pageId, table: null, props: [place.prop] }]
    if (place.of === 'page')
      return folders.flatMap((folder) =>
        folder.pageIds.includes(place.pageId)
          ? [{ kind: 'page-remove', pageId: place.pageId, folderId: folder.id } as const]
          : [],
      )
    return place.of === 'folder' ? [{ kind: 'folder-remove', folderId: place.folderId }] : []
  }
  if (place.of === 'folder') {
    if (key === 'folderCode')
      return typeof value === 'string' ? [{ kind: 'folder-code', folderId: place.folderId, code: value }] : []
    return [{ kind: 'folder-set', folderId: place.folderId, patch: { [key]: value } }]
  }
  const page = pages.get(place.pageId)
  if (place.of === 'page') {
    if (key === 'pageCode')
      return typeof value === 'string' ? [{ kind: 'page-code', pageId: place.pageId, code: value }] : []
    return key === 'form' ? [] : [{ kind: 'page-set', pageId: place.pageId, patch: { [key]: value } }]
  }
  const form = page?.form
  if (form === undefined || form === null) return []
  if (place.of === 'form')
    return [{ kind: 'form-set', pageId: place.pageId, patch: { [key]: within(form.rest[key], inside, value) } }]
  if (place.of === 'section')
    return [{ kind: 'section-set', pageId: place.pageId, key: place.key, patch: { [key]: value } }]
  const column = columnAt(form, null, place.prop)
  if (column === null) return []
  const field = { pageId: place.pageId, table: null, prop: place.prop }
  if (key === 'prop') return typeof value === 'string' ? [{ kind: 'field-code', field, code: value }] : []
  // A column stores its label in several places.
  if (key === 'label' && typeof value === 'string')
    return [
      { kind: 'field-set', field, patch: labelPatch(column, { zh: value, en: extensionOf(column).labels?.en ?? '' }) },
    ]
  return [{ kind: 'field-set', field, patch: { [key]: within(column[key], inside, value) } }]
}

/** A record in which the value at a path is replaced. */
function within(value: unknown, [key, ...inside]: readonly string[], to: unknown): unknown {
  if (key === undefined) return to
  const record: Raw = isRecord(value) ? value : {}
  return { ...record, [key]: within(record[key], inside, to) }
}

import { Button, Group } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { isRecord } from '#core/form/option.ts'
import type { Raw } from '#core/form/option.ts'
import type { Design } from '#core/design/design.ts'
import { columnAt } from '#core/design/design.ts'
import type { DesignEdit } from '#core/design/designEdit.ts'
import type { DesignConflict } from '#core/design/merge.ts'
import { DataTable } from '#src/ui/DataTable.tsx'
import { Note } from '#src/ui/Note.tsx'

import { extensionOf, labelIn, labelPatch } from './columns.ts'
import type { DesignSession, DesignView } from './designSession.ts'
import { useLanguage } from './useLanguage.ts'

/** What two designers have both changed: mine stands, and theirs can be taken instead. */
export function ConflictList({ session, view: { design, conflicts } }: { readonly session: DesignSession; readonly view: DesignView }) {
  const { t } = useTranslation('design')
  const language = useLanguage()
  const shown = (value: unknown): string => (value === undefined || value === null ? t('conflicts.removed') : typeof value === 'string' ? value : JSON.stringify(value))
  const take = (conflict: DesignConflict) => {
    const edit = takingTheirs(design, conflict)
    if (edit !== null) session.edit(edit)
    session.settle(conflict)
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
          { key: 'mine', title: t('conflicts.mine'), cell: ({ mine }) => shown(mine) },
          { key: 'theirs', title: t('conflicts.theirs'), cell: ({ theirs }) => shown(theirs) },
          {
            key: 'decide',
            title: '',
            cell: (conflict) => (
              <Group gap="xs">
                <Button size="compact-sm" h={32} variant="default" onClick={() => session.settle(conflict)}>
                  {t('conflicts.keep')}
                </Button>
                {takingTheirs(design, conflict) !== null && (
                  <Button size="compact-sm" h={32} variant="light" onClick={() => take(conflict)}>
                    {t('conflicts.take')}
                  </Button>
                )}
              </Group>
            ),
          },
        ]}
      />
    </Note>
  )
}

/** Properties that have a word of their own; others are named as they are stored. */
const NAMED = {
  label: 'label', 'zl.labels.en': 'labelEn', type: 'type', required: 'required', readonly: 'readOnly', span: 'span', dicData: 'choices', value: 'initial', placeholder: 'placeholder', unique: 'unique', encode: 'encode', maxlength: 'maxlength',
  'zl.note': 'note', 'zl.unit': 'unit', 'zl.identifier': 'identifier', 'zl.min': 'min', 'zl.max': 'max', 'zl.plausible': 'plausible', 'zl.reference': 'reference', 'zl.precision': 'precision', 'zl.validation': 'validation', 'zl.show': 'show', 'zl.require': 'require', 'zl.readOnlyWhen': 'readOnlyWhen', 'zl.calculate': 'calculate', 'zl.checks': 'checks',
  folderName: 'folderName', schedule: 'plan', pageName: 'pageName', repeatable: 'repeatable', folderCode: 'code', pageCode: 'code', form: 'form',
} as const

function isNamed(path: string): path is keyof typeof NAMED {
  return Object.hasOwn(NAMED, path)
}

function placeName({ folders, pages }: Design, { place, path }: DesignConflict, language: 'zh' | 'en', t: TFunction<'design'>): string {
  const stored = path.join('.')
  const property = isNamed(stored) ? t(`props.${NAMED[stored]}`) : stored
  if (place.of === 'folder') return [folders.find(({ id }) => id === place.folderId)?.folderName ?? '', property].join(' · ')
  const page = pages.get(place.pageId)
  const column = place.of === 'field' && page !== undefined && page.form !== null ? columnAt(page.form, null, place.prop) : null
  return [page?.pageName ?? '', column === null ? '' : labelIn(column, language), property].filter((part) => part !== '').join(' · ')
}

/** The edit that puts their value where mine stands; null where it is not one property, and the other has to be written again. */
function takingTheirs({ pages }: Design, { place, path, theirs }: DesignConflict): DesignEdit | null {
  const [key, ...inside] = path
  if (key === undefined) {
    if (place.of === 'field' && theirs === null) return { kind: 'fields-remove', pageId: place.pageId, table: null, props: [place.prop] }
    return null
  }
  if (place.of === 'folder') {
    if (key === 'folderCode') return typeof theirs === 'string' ? { kind: 'folder-code', folderId: place.folderId, code: theirs } : null
    return { kind: 'folder-set', folderId: place.folderId, patch: { [key]: theirs } }
  }
  const page = pages.get(place.pageId)
  if (place.of === 'page') {
    if (key === 'pageCode') return typeof theirs === 'string' ? { kind: 'page-code', pageId: place.pageId, code: theirs } : null
    return key === 'form' ? null : { kind: 'page-set', pageId: place.pageId, patch: { [key]: theirs } }
  }
  const form = page?.form
  if (form === undefined || form === null) return null
  if (place.of === 'form') return { kind: 'form-set', pageId: place.pageId, patch: { [key]: within(form.rest[key], inside, theirs) } }
  if (place.of === 'section') return { kind: 'section-set', pageId: place.pageId, key: place.key, patch: { [key]: theirs } }
  const column = columnAt(form, null, place.prop)
  // A label stands in several places of a column.
  if (column !== null && key === 'label' && typeof theirs === 'string') return { kind: 'field-set', field: { pageId: place.pageId, table: null, prop: place.prop }, patch: labelPatch(column, { zh: theirs, en: extensionOf(column).labels?.en ?? '' }) }
  return column === null ? null : { kind: 'field-set', field: { pageId: place.pageId, table: null, prop: place.prop }, patch: { [key]: within(column[key], inside, theirs) } }
}

/** A record with what stands at a path in it replaced. */
function within(value: unknown, [key, ...inside]: readonly string[], to: unknown): unknown {
  if (key === undefined) return to
  const record: Raw = isRecord(value) ? value : {}
  return { ...record, [key]: within(record[key], inside, to) }
}

import { useTranslation } from 'react-i18next'
import type { InboxDetail } from '#core/api/calls/sync.ts'
import { inLanguage } from '#core/form/definition/inLanguage.ts'
import type { Field } from '#core/form/definition/page.ts'
import { FIRST_REPEAT, entryId } from '#core/derivedIds.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { visitOutcomes } from '#core/study/visits/schedule.ts'
import { DELETED, sameContent } from '#core/sync/merge.ts'
import type { PageRow, VersionRow } from '#core/api/sync/rows.ts'
import { useVersion } from '#src/data/hooks/projects.ts'
import { ContentText } from '#src/form/ContentText.tsx'
import { fieldsOf } from '#src/form/places/fieldAt.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import classes from './inbox.module.css'

type Item = InboxDetail['items'][number]

/** The patient facts. */
const FACTS = ['no', 'initials', 'sex', 'enrolledOn', 'name', 'mobile', 'email', 'birthDate'] as const
/** The code of a row that was only moved. */
const MOVED = '_ord'

/** Item by item: the base, the present value, and the value that it would get. */
export function InboxItems({
  detail: { items, line },
  projectId,
}: {
  readonly detail: InboxDetail
  readonly projectId: string
}) {
  const { t } = useTranslation(['inbox', 'reasons'])
  const reasonOf = ({ code, text }: NonNullable<Item['reason']>) =>
    t('detail.why', { why: [t(`reasons:code.${code}`), text].filter(Boolean).join(' · ') })
  const nameOf = useItemName(line.call)
  const version = useVersion(projectId)
  // Without its definition, a value is shown as stored.
  const fieldAt = fieldsOf(version.state === 'ready' ? (pageOf(version.value, line)?.option ?? null) : null)
  const showContent = (item: Item, content: ItemContent) => (
    <Content item={item} call={line.call} field={fieldAt(item)} content={content} />
  )
  if (items.length === 0) return <p className={classes.quiet}>{t('detail.none')}</p>
  return (
    <DataTable
      caption={t('detail.items')}
      rows={items}
      rowKey={({ table, rid, code }) => `${table ?? ''} ${rid ?? ''} ${code}`}
      columns={[
        { key: 'field', title: t('detail.field'), cell: nameOf },
        { key: 'base', title: t('detail.base'), cell: (item) => showContent(item, item.base) },
        {
          key: 'current',
          title: t('detail.current'),
          cell: (item) => (item.current === null ? t('detail.noPlace') : showContent(item, item.current)),
        },
        {
          key: 'to',
          title: t('detail.to'),
          cell: (item) => (
            <>
              <strong>{showContent(item, item.to)}</strong>
              {item.reason !== null && <p className={classes.quiet}>{reasonOf(item.reason)}</p>}
              {collides(item) && line.state === 'open' && (
                <p className={classes.collides}>{t('detail.becomesConflict')}</p>
              )}
            </>
          ),
        },
      ]}
    />
  )
}

/** The visit facts. */
const SAID = ['actualDate', 'outcome', 'outcomeReason', 'deviationReason', 'removed', 'applies', 'order'] as const

/** What an act on a query has beside its words. */
const QUERY_ITEMS = ['queryFile', 'queryAssignee'] as const

/** The name of an item: a patient fact, a row of a table, or a field. */
function useItemName(call: string): (item: Item) => string {
  const { t } = useTranslation(['inbox', 'patients', 'visits', 'reasons'])
  const language = useLanguage()
  return ({ table, code, rowNo, ...labels }) => {
    const fact = call.startsWith('patient.') ? FACTS.find((one) => one === code) : undefined
    if (fact !== undefined) return t(`patients:fact.${fact}`)
    const said = call.startsWith('visit.') || call.startsWith('folder.') ? SAID.find((one) => one === code) : undefined
    if (said !== undefined) return t(`visits:fact.${said}`)
    if (call.startsWith('query.')) return t(`detail.${QUERY_ITEMS.find((one) => one === code) ?? 'querySaid'}`)
    const label = inLanguage(language, labels.label, labels.labelEn)
    if (table === null) return code === DELETED ? t('detail.whole') : label
    const tableLabel = inLanguage(language, labels.tableLabel ?? table, labels.tableLabelEn)
    const row =
      rowNo === null ? t('detail.rowAway', { table: tableLabel }) : t('reasons:rowOf', { table: tableLabel, no: rowNo })
    if (code === MOVED) return t('detail.order', { row })
    return code === DELETED ? row : `${row} · ${label}`
  }
}

interface ContentProps {
  readonly item: Item
  readonly call: string
  readonly field: Field | null
  readonly content: ItemContent
}

function Content({ item: { code }, call, field, content }: ContentProps) {
  const { t } = useTranslation(['inbox', 'patients', 'visits'])
  const { value } = content
  // A new row did not exist before.
  if (code === DELETED)
    return value === null ? t('detail.absent') : value === true ? t('detail.deleted') : t('detail.kept')
  if (code === MOVED) return t('detail.moved')
  if (call.startsWith('patient.') && code === 'sex' && (value === 'F' || value === 'M'))
    return t(`patients:sex.${value}`)
  const outcome =
    call.startsWith('visit.') && code === 'outcome' ? visitOutcomes.find((one) => one === value) : undefined
  if (outcome !== undefined) return t(`visits:status.${outcome}`)
  if (code === 'queryAssignee' && value === null) return t('detail.nobody')
  return <ContentText field={field} content={content} />
}

/** Whether somebody has changed the item since, to another value. */
function collides({ code, base, current, to }: Item): boolean {
  return code !== MOVED && current !== null && !sameContent(current, base) && !sameContent(current, to)
}

/**
 * The page's definition. A scheduled page is found by the id of its entry, another page by its name, where only one
 * page has that name.
 */
function pageOf({ folders }: VersionRow, { entityId, patientId, pageName }: InboxDetail['line']): PageRow | null {
  const all = folders.flatMap((folder) => folder.pages.map((page) => ({ folder, page })))
  const scheduled = all.find(
    ({ folder, page }) => patientId !== null && isEntryOf(patientId, folder.id, page.id, entityId),
  )
  if (scheduled !== undefined) return scheduled.page
  const named = new Map(all.filter(({ page }) => page.pageName === pageName).map(({ page }) => [page.id, page]))
  const [only] = named.values()
  return named.size === 1 && only !== undefined ? only : null
}

function isEntryOf(patientId: string, folderId: string, pageId: string, id: string): boolean {
  const key = { patientId, folderId, folderRepeat: FIRST_REPEAT, pageId, pageRepeat: FIRST_REPEAT, parentEntryId: null }
  return [1, 2].some((pass) => entryId({ ...key, pass }) === id)
}

import { useTranslation } from 'react-i18next'
import type { ChangeWeight } from '#core/design/difference/fieldDifference.ts'
import type { FolderDifference, PageDifference, VersionDifference } from '#core/design/difference/versionDifference.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'

import classes from './difference.module.css'
import { useChangeWords } from './changeWords.ts'

/** The differences between two versions: a table for the visits, and one for each page. */
export function DifferenceTables({ difference }: { readonly difference: VersionDifference }) {
  const { t } = useTranslation('versions')
  const { order, folders, pages } = difference
  return (
    <>
      {(order !== null || folders.length > 0) && <Folders order={order} folders={folders} />}
      {pages.map((page) => (
        <section key={page.pageId}>
          <h3 className={classes.title}>
            {page.name}
            <span className={classes.fate} data-fate={page.fate}>
              {t(`diff.fates.${page.fate}`)}
            </span>
          </h3>
          <Page page={page} />
        </section>
      ))}
    </>
  )
}

function Folders({ order, folders }: Pick<VersionDifference, 'order' | 'folders'>) {
  const { t } = useTranslation('versions')
  const { sideWords } = useChangeWords()
  const lines: readonly Line[] = [
    ...(order === null
      ? []
      : [
          {
            key: 'order',
            code: '',
            name: t('diff.folders'),
            aspect: t('diff.order'),
            from: order.from.join('、'),
            to: order.to.join('、'),
            weight: 'none' as const,
          },
        ]),
    ...folders.flatMap((folder): readonly Line[] =>
      folder.changes.length === 0
        ? [wholeLine(folder, t(`diff.fates.${folder.fate}`))]
        : folder.changes.map(({ side, from, to, weight }) => ({
            key: `${folder.folderId} ${side}`,
            code: '',
            name: folder.name,
            aspect: t(`diff.sides.${side}`),
            from: sideWords(side, from),
            to: sideWords(side, to),
            weight,
          })),
    ),
  ]
  return (
    <section>
      <h3 className={classes.title}>{t('diff.folders')}</h3>
      <Lines caption={t('diff.folders')} lines={lines} />
    </section>
  )
}

function wholeLine({ folderId, name, weight }: FolderDifference, fate: string): Line {
  return { key: folderId, code: '', name, aspect: fate, from: '', to: '', weight }
}

function Page({ page }: { readonly page: PageDifference }) {
  const { t } = useTranslation('versions')
  const { aspectWords, sideWords } = useChangeWords()
  const lines: readonly Line[] = [
    ...page.changes.map(({ side, from, to, weight }) => ({
      key: side,
      code: '',
      name: t('diff.whole'),
      aspect: t(`diff.sides.${side}`),
      from: sideWords(side, from),
      to: sideWords(side, to),
      weight,
    })),
    ...page.fields.flatMap(({ code, label, fate, weight, changes }): readonly Line[] =>
      fate === 'changed'
        ? changes.map((change) => ({
            key: `${code} ${change.aspect}`,
            code,
            name: label,
            aspect: t(`diff.aspects.${change.aspect}`),
            ...aspectWords(change),
            weight: change.weight,
          }))
        : [{ key: code, code, name: label, aspect: t(`diff.fates.${fate}`), from: '', to: '', weight }],
    ),
  ]
  return lines.length === 0 ? null : <Lines caption={page.name} lines={lines} />
}

interface Line {
  readonly key: string
  readonly code: string
  readonly name: string
  readonly aspect: string
  readonly from: string
  readonly to: string
  readonly weight: ChangeWeight
}

function Lines({ caption, lines }: { readonly caption: string; readonly lines: readonly Line[] }) {
  const { t } = useTranslation('versions')
  return (
    <DataTable
      caption={caption}
      rows={lines}
      rowKey={({ key }) => key}
      columns={[
        {
          key: 'name',
          title: t('diff.columns.name'),
          cell: ({ name, code }) =>
            code === '' ? (
              name
            ) : (
              <>
                {name} <code className={classes.code}>{code}</code>
              </>
            ),
        },
        { key: 'aspect', title: t('diff.columns.aspect'), short: true, cell: ({ aspect }) => aspect },
        {
          key: 'from',
          title: t('diff.columns.from'),
          cell: ({ from }) => <span className={classes.text}>{from}</span>,
        },
        { key: 'to', title: t('diff.columns.to'), cell: ({ to }) => <span className={classes.text}>{to}</span> },
        {
          key: 'weight',
          title: t('diff.columns.weight'),
          short: true,
          cell: ({ weight }) => (
            <span className={classes.weight} data-weight={weight}>
              {t(`diff.weights.${weight}`)}
            </span>
          ),
        },
      ]}
    />
  )
}

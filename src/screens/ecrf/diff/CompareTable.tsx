import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { GapRow } from '#core/api/calls/review/double.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { DifferenceRow } from './DifferenceRow.tsx'
import type { DifferenceRowProps } from './DifferenceRow.tsx'
import type { ComparedPage, SameItem } from './comparedPages.ts'
import type { Decisions } from './decisions.ts'
import { listUndecided } from './decisions.ts'
import classes from './diff.module.css'

interface CompareTableProps extends Pick<
  DifferenceRowProps,
  'readOnly' | 'tried' | 'onDecide' | 'onIgnore' | 'onOpenAgain'
> {
  readonly pages: readonly ComparedPage[]
  readonly decisions: Decisions
  readonly tableRef: RefObject<HTMLTableElement | null>
  /** Takes one pass for all differences of a page that nobody has decided. */
  readonly onTakeRest: (gaps: readonly GapRow[], pass: 'first' | 'second') => void
}

/** Both passes side by side: a row for each field, under the name of its page. */
export function CompareTable({ pages, decisions, tableRef, onTakeRest, ...acts }: CompareTableProps) {
  const { t } = useTranslation('diff')
  const names = useNames()
  return (
    <table className={classes.table} ref={tableRef}>
      <caption className={classes.hidden}>{t('title')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('columns.field')}</th>
          <th scope="col">{t('pass.first')}</th>
          <th scope="col">{t('pass.second')}</th>
          <th scope="col">{t('columns.rest')}</th>
        </tr>
      </thead>
      {pages.map((page) => (
        <tbody key={page.id}>
          <PageHead
            title={names.place(page)}
            page={page}
            decisions={decisions}
            readOnly={acts.readOnly}
            onTakeRest={onTakeRest}
          />
          {page.lines.map((line) =>
            'gap' in line ? (
              <DifferenceRow key={line.gap.id} line={line} decision={decisions.get(line.gap.id)} {...acts} />
            ) : (
              <SameRow key={line.id} item={line} />
            ),
          )}
        </tbody>
      ))}
    </table>
  )
}

interface PageHeadProps extends Pick<CompareTableProps, 'decisions' | 'readOnly' | 'onTakeRest'> {
  readonly title: string
  readonly page: ComparedPage
}

/** The name of a page, how many of its differences are decided, and the same choice for all that are left. */
function PageHead({ title, page: { gaps }, decisions, readOnly, onTakeRest }: PageHeadProps) {
  const { t } = useTranslation(['diff', 'form'])
  const left = listUndecided(gaps, decisions).length
  return (
    <tr className={classes.pageHead}>
      <th scope="rowgroup">
        <h2>{title}</h2>
        {gaps.length > 0 && (
          <span className={classes.count}>{t('progress', { done: gaps.length - left, total: gaps.length })}</span>
        )}
      </th>
      {(['first', 'second'] as const).map((pass) => (
        // A cell is no control, even where it is empty.
        // oxlint-disable-next-line jsx-a11y/control-has-associated-label
        <td key={pass} colSpan={pass === 'second' ? 2 : 1}>
          {!readOnly && left > 0 && (
            <button
              type="button"
              className={classes.act}
              onClick={() => onTakeRest(gaps, pass)}
              aria-label={`${title}${t('form:colon')}${t(`allOf.${pass}`)}`}
            >
              {t(`allOf.${pass}`)}
            </button>
          )}
        </td>
      ))}
    </tr>
  )
}

function SameRow({ item: { name, words } }: { readonly item: SameItem }) {
  const { t } = useTranslation('diff')
  return (
    <tr className={classes.row} data-same>
      <th scope="row" className={classes.name}>
        {name}
      </th>
      {(['first', 'second'] as const).map((pass) => (
        // A cell is no control.
        // oxlint-disable-next-line jsx-a11y/control-has-associated-label
        <td key={pass} className={classes.pass} data-pass={t(`pass.${pass}`)}>
          <div className={classes.value}>
            <span className={classes.content}>{words}</span>
          </div>
        </td>
      ))}
      <td className={classes.rest}>
        <span className={classes.note}>{t('same')}</span>
      </td>
    </tr>
  )
}

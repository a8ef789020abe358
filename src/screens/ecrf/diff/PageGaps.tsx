import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { GapRow } from '#core/api/calls/double.ts'
import type { fieldsOf } from '#src/form/fieldAt.ts'

import { GapCard } from './GapCard.tsx'
import type { Decision, Decisions } from './decisions.ts'
import classes from './diff.module.css'

/** The fields of a page's definition, by place. */
export type FieldsOfPage = ReturnType<typeof fieldsOf>

interface PageGapsProps {
  readonly title: string
  readonly gaps: readonly GapRow[]
  /** Fields of pages, by the ids of the pages. */
  readonly definitions: ReadonlyMap<string, FieldsOfPage>
  readonly decisions: Decisions
  readonly readOnly: boolean
  /** Whether somebody has tried to merge: only then the page says what is missing. */
  readonly tried: boolean
  readonly onDecide: (id: string, decision: Decision) => void
  /** Takes one pass for all gaps of the page that nobody has decided. */
  readonly onTakeRest: (gaps: readonly GapRow[], pass: 'first' | 'second') => void
  readonly onIgnore: (gap: GapRow) => void
  readonly onOpenAgain: (gap: GapRow) => void
}

/** The differences of one page. */
export function PageGaps({
  title,
  gaps,
  definitions,
  decisions,
  readOnly,
  tried,
  onDecide,
  onTakeRest,
  onIgnore,
  onOpenAgain,
}: PageGapsProps) {
  const { t } = useTranslation('diff')
  return (
    <section className={classes.page} aria-label={title}>
      <div className={classes.pageHead}>
        <h2>{title}</h2>
        {!readOnly && (
          <span>
            {(['first', 'second'] as const).map((pass) => (
              <Button key={pass} size="md" variant="subtle" onClick={() => onTakeRest(gaps, pass)}>
                {t(`allOf.${pass}`)}
              </Button>
            ))}
          </span>
        )}
      </div>
      {gaps.map((gap) => {
        const fieldAt = definitions.get(gap.pageId) ?? NO_FIELD
        return (
          <GapCard
            key={gap.id}
            gap={gap}
            field={fieldAt({ table: gap.kind === 'row' ? null : gap.table, code: gap.code })}
            table={gap.table === null ? null : fieldAt({ table: null, code: gap.table })}
            decision={decisions.get(gap.id)}
            readOnly={readOnly}
            tried={tried}
            onDecide={onDecide}
            onIgnore={onIgnore}
            onOpenAgain={onOpenAgain}
          />
        )
      })}
    </section>
  )
}

const NO_FIELD: FieldsOfPage = () => null

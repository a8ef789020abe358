import { Button, Stack } from '@mantine/core'
import { IconFlag } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { FormState } from '#core/form/engine/engine.ts'
import type { QueryView } from '#src/data/shapes/queryTypes.ts'
import type { Casebook, EntryView } from '#src/data/shapes/types.ts'
import { QueryActs } from '#src/form/queries/QueryActs.tsx'
import { QueryThread } from '#src/form/queries/QueryThread.tsx'
import { RaiseQuery } from '#src/form/queries/RaiseQuery.tsx'
import { labelOf } from '#src/form/words.ts'
import { QueryBadge } from '#src/ui/badges/QueryBadge.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { BesidePanel } from './BesidePanel.tsx'
import classes from './beside.module.css'
import { contentOn, queryPlaceOf } from './queryPlace.ts'
import { addressOfQuery } from './usePageQueries.ts'
import type { PageQueries } from './usePageQueries.ts'

interface FieldQueriesProps {
  readonly book: Casebook
  readonly view: EntryView
  readonly form: FormState
  /** The field; null for the page as a whole, with all of its queries. */
  readonly address: string | null
  readonly title: string
  readonly beside: boolean
  readonly queries: PageQueries
  /** What else is told of the field. */
  readonly above: ReactNode
  readonly onRaised: ((queryId: string, address: string) => void) | null
  readonly onClose: () => void
}

/** What was asked about a field, or about a page and all of its fields: each with its thread and what can be done. */
export function FieldQueries(props: FieldQueriesProps) {
  const { book, view, form, address, title, beside, queries, above, onRaised, onClose } = props
  const { t } = useTranslation('query')
  const language = useLanguage()
  const [asking, setAsking] = useState(false)
  const shown = queries.views.filter(({ query }) => address === null || addressOfQuery(query.place) === address)
  const labelAt = (at: string | null) => {
    const field = at === null ? undefined : form.getCell(at)?.field
    return field === undefined ? t('level.page') : labelOf(field, language)
  }
  return (
    <BesidePanel title={title} beside={beside} onClose={onClose}>
      <Stack>
        {above}
        {queries.mayAsk && (
          <Button
            size="md"
            variant={shown.length === 0 ? 'filled' : 'default'}
            style={{ alignSelf: 'flex-start' }}
            leftSection={<IconFlag size={18} aria-hidden="true" />}
            onClick={() => setAsking(true)}
          >
            {t('field.ask')}
          </Button>
        )}
        {shown.length === 0 && <p className={classes.none}>{t('field.none')}</p>}
        {shown.map((one) => (
          <OneQuery
            key={one.query.id}
            projectId={book.project.id}
            view={one}
            form={form}
            label={address === null ? labelAt(addressOfQuery(one.query.place)) : null}
          />
        ))}
      </Stack>
      {asking && (
        <RaiseQuery
          projectId={book.project.id}
          versionId={view.versionId}
          place={queryPlaceOf(view, address)}
          label={labelAt(address)}
          seen={contentOn(form, address)}
          onRaised={(id) => address !== null && onRaised?.(id, address)}
          onClose={() => setAsking(false)}
        />
      )}
    </BesidePanel>
  )
}

interface OneQueryProps {
  readonly projectId: string
  readonly view: QueryView
  readonly form: FormState
  /** What it is about, where queries about several things stand together. */
  readonly label: string | null
}

function OneQuery({ projectId, view, form, label }: OneQueryProps) {
  const { t } = useTranslation('query')
  const { query } = view
  const address = addressOfQuery(query.place)
  return (
    <section className={classes.query} aria-label={query.no === 0 ? t('unnumbered') : t('no', { no: query.no })}>
      <h3 className={classes.heading}>
        {query.no === 0 ? t('unnumbered') : t('no', { no: query.no })}
        {label !== null && ` · ${label}`}
        <QueryBadge state={query.state} />
      </h3>
      <QueryThread
        projectId={projectId}
        view={view}
        field={address === null ? null : (form.getCell(address)?.field ?? null)}
      />
      <QueryActs projectId={projectId} view={view} seen={contentOn(form, address)} />
    </section>
  )
}

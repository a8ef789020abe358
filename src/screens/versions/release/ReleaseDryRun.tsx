import { Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { MigrationPlan, MigrationReport } from '#core/api/calls/migration.ts'
import type { MigrationMappings } from '#core/study/migration/migrationMappings.ts'
import { useSession } from '#src/session/useSession.ts'
import { FactList } from '#src/ui/FactList.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import type { OutcomeLine } from './releaseGroups.ts'
import { ReleaseOutcomes } from './ReleaseOutcomes.tsx'
import { ReleaseQueries } from './ReleaseQueries.tsx'
import type { QueryFigures } from './ReleaseQueries.tsx'
import classes from './release.module.css'

/** How many patients one request asks about. */
const PAGE = 100

interface ReleaseDryRunProps {
  readonly projectId: string
  readonly crfId: string
  readonly mappings: MigrationMappings
  readonly plan: MigrationPlan
}

const VALUES = ['mapped', 'converted', 'retired', 'unconverted', 'archived'] as const
const QUERIES = ['asks', 'ends'] as const

type Counts = MigrationReport['counts']

interface Found {
  readonly checked: number
  readonly total: number
  /** Of queries only where the server foresees them. */
  readonly counts: Counts
  readonly lines: readonly OutcomeLine[]
  /** Subjects of whom queries would be raised or closed. */
  readonly queries: readonly QueryFigures[]
  readonly isWhole: boolean
}

const NOTHING: Found = {
  checked: 0,
  total: 0,
  counts: { mapped: 0, converted: 0, retired: 0, unconverted: 0, archived: 0 },
  lines: [],
  queries: [],
  isWhole: false,
}

/**
 * Tries the release on all entered data, patient by patient, without a change. Shows figures, and what would not stay
 * as it is.
 */
export function ReleaseDryRun(props: ReleaseDryRunProps) {
  const { t } = useTranslation('versions')
  const errorText = useErrorText()
  const { found, error } = useDryRun(props)
  const { counts, lines, queries } = found
  const counted = QUERIES.filter((key) => counts[key] !== undefined)
  return (
    <section aria-label={t('migration.dryRun')}>
      <h4 className={classes.part}>{t('migration.dryRun')}</h4>
      <Stack gap="xs">
        <Text component="output">
          {t(found.isWhole ? 'migration.checked' : 'migration.checking', {
            checked: found.checked,
            total: found.total,
          })}
        </Text>
        {error !== null && (
          <Note tone="error" live>
            {errorText(error)}
          </Note>
        )}
        <FactList
          pairs
          facts={[...VALUES, ...counted].map((key) => [t(`migration.values.${key}`), String(counts[key])] as const)}
        />
        <ReleaseOutcomes projectId={props.projectId} crfId={props.crfId} plan={props.plan} lines={lines} />
        {queries.length > 0 && <ReleaseQueries queries={queries} />}
      </Stack>
    </section>
  )
}

/** Asks page by page, until all patients were checked or the dialog is closed. */
function useDryRun({ projectId, crfId, mappings }: ReleaseDryRunProps): {
  readonly found: Found
  readonly error: ApiError | null
} {
  const { call } = useSession()
  const [found, setFound] = useState<Found>(NOTHING)
  const [error, setError] = useState<ApiError | null>(null)
  useEffect(() => {
    let left = false
    const run = async () => {
      let now = NOTHING
      for (let current = 1; !now.isWhole; current += 1) {
        const page = await call('version.migrationCheck', {
          query: { crfId, current, size: PAGE },
          body: { mappings },
          projectId,
        })
        if (left) return
        if (!page.ok) {
          setError(page.error)
          return
        }
        now = withPage(now, page.value)
        setFound(now)
      }
    }
    void run()
    return () => {
      left = true
    }
  }, [call, projectId, crfId, mappings])
  return { found, error }
}

function withPage(
  before: Found,
  { records, total }: { readonly records: readonly MigrationReport[]; readonly total: number },
): Found {
  const counts = { ...before.counts }
  for (const record of records) {
    for (const key of VALUES) counts[key] += record.counts[key]
    for (const key of QUERIES) {
      const more = record.counts[key]
      if (more !== undefined) counts[key] = (counts[key] ?? 0) + more
    }
  }
  const queries = records.flatMap(({ patientId, patient, counts: { asks = 0, ends = 0 } }) =>
    asks + ends === 0 ? [] : [{ patientId, patient, asks, ends }],
  )
  const lines = records.flatMap(({ patientId, patient, items }) =>
    items.map((item, at) => ({ ...item, key: `${patientId} ${String(at)}`, patient })),
  )
  const checked = before.checked + records.length
  return {
    checked,
    total,
    counts,
    lines: [...before.lines, ...lines],
    queries: [...before.queries, ...queries],
    isWhole: records.length === 0 || checked >= total,
  }
}

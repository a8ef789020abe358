import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { csvText } from '#core/exchange/writeCsv.ts'
import type { Result } from '#core/result.ts'
import { err, ok } from '#core/result.ts'
import { useSession } from '#src/session/useSession.ts'

import type { TrailQuery } from './filter.ts'
import { useReadLineVersions } from './lineVersions.ts'
import type { TrailLine, TrailReader } from './trailLine.ts'

/**
 * How many lines are read at once, and how many a file has at most: more than one patient's casebook makes in years.
 */
const PART = 500
const MOST = 50_000

/** What the file says of a line, in the order of its columns. */
const CELLS = [
  'seq',
  'receivedAt',
  'at',
  'offsetMinutes',
  'driftMs',
  'who',
  'role',
  'what',
  'visit',
  'page',
  'place',
  'code',
  'pass',
  'from',
  'into',
  'why',
  'whyText',
] as const satisfies readonly (keyof TrailLine)[]

/** A log as a file to download. */
export interface TrailFile {
  readonly text: string
  /** Whether the log has more lines than the file. */
  readonly isCut: boolean
}

/**
 * Reads all lines that pass a filter, part by part, and makes a file of them: times as instants, both values, the user
 * and the reason.
 */
export function useTrailFile(
  reader: TrailReader,
): (query: TrailQuery, onRead: (count: number) => void) => Promise<Result<TrailFile, ApiError>> {
  const { call } = useSession()
  const { t } = useTranslation('trail')
  const versionsOf = useReadLineVersions(reader)
  return useCallback(
    async (query, onRead) => {
      const lines: TrailLine[] = []
      let before: string | null = null
      do {
        const asked: TrailQuery = before === null ? query : { ...query, before }
        const page = await call('audit.list', { query: { ...asked, size: PART }, projectId: query.projectId })
        if (!page.ok) return err(page.error)
        const { records } = page.value
        const last = records.at(-1)
        const versions = await versionsOf(records)
        lines.push(...records.map((line) => reader.ofServer(line, versions)))
        onRead(lines.length)
        before = last === undefined || records.length < PART ? null : `${last.seq}.${last.ord}`
      } while (before !== null && lines.length < MOST)
      const heads = [
        t('columns.seq'),
        t('columns.server'),
        t('columns.tablet'),
        t('columns.offset'),
        t('columns.drift'),
        t('columns.who'),
        t('columns.role'),
        t('columns.what'),
        t('columns.visit'),
        t('columns.page'),
        t('columns.place'),
        t('columns.code'),
        t('columns.pass'),
        t('columns.old'),
        t('columns.new'),
        t('columns.reason'),
        t('columns.reasonText'),
      ]
      return ok({
        text: csvText([heads, ...lines.map((line) => CELLS.map((cell) => line[cell]))]),
        isCut: before !== null,
      })
    },
    [call, reader, t, versionsOf],
  )
}

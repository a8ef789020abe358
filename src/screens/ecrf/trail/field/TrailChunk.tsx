import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AuditLine } from '#core/api/calls/sync.ts'
import type { Page } from '#core/wire/shapes.ts'
import type { Loadable } from '#src/data/shapes/types.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import { TrailEntry } from '../TrailEntry.tsx'
import { CHUNK } from '../useParts.ts'
import { useLineVersions } from '../lineVersions.ts'
import classes from '../trail.module.css'
import type { TrailReader } from '../trailLine.ts'

/** What each chunk of a log gets: the line after which it begins; the last chunk offers to read earlier lines. */
export interface ChunkProps {
  /** `seq.ord` of the last line of the chunk before; null for the first chunk. */
  readonly before: string | null
  readonly isLast: boolean
  readonly onMore: (before: string) => void
  readonly reader: TrailReader
}

interface TrailChunkProps extends ChunkProps {
  readonly of: Loadable<Page<AuditLine>>
  /** The text that stands for a log without lines. */
  readonly empty: string
}

function Lines({ records, reader }: { readonly records: readonly AuditLine[] } & Pick<TrailChunkProps, 'reader'>) {
  const versions = useLineVersions(reader, records)
  if (versions === null)
    return (
      <Loaded of={READING} rows={2}>
        {() => null}
      </Loaded>
    )
  return (
    <ol className={classes.lines}>
      {records.map((line) => (
        <TrailEntry key={line.id} line={reader.ofServer(line, versions)} ofField />
      ))}
    </ol>
  )
}

const READING = { state: 'loading' } as const

/** A chunk of the log of a field, and the button that reads on. */
export function TrailChunk({ of, before, isLast, onMore, reader, empty }: TrailChunkProps) {
  const { t } = useTranslation('trail')
  const errorText = useErrorText()
  if (of.state === 'failed' && of.error.code === 'offline') {
    return (
      <Note tone="info" title={errorText(of.error)}>
        {t('offline')}
      </Note>
    )
  }
  // The server does not know a field whose values were only ever on this tablet.
  if (of.state === 'failed' && of.error.code === 'not_found') return <p className={classes.quiet}>{empty}</p>
  return (
    <Loaded of={of} rows={before === null ? 6 : 2}>
      {({ records }) => {
        const last = records.at(-1)
        if (last === undefined) return before === null ? <p className={classes.quiet}>{empty}</p> : null
        return (
          <>
            <Lines records={records} reader={reader} />
            {isLast && records.length === CHUNK && (
              <Button size="md" variant="default" onClick={() => onMore(`${last.seq}.${last.ord}`)}>
                {t('list.more')}
              </Button>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

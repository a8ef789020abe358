import { useTranslation } from 'react-i18next'
import type { UnsentTrailLine } from '#src/data/shapes/trailTypes.ts'
import { Note } from '#src/ui/Note.tsx'

import { TrailEntry } from '../TrailEntry.tsx'
import { useLineVersions } from '../lineVersions.ts'
import classes from '../trail.module.css'
import type { TrailReader } from '../trailLine.ts'

interface UnsentLinesProps {
  readonly lines: readonly UnsentTrailLine[]
  readonly reader: TrailReader
  /** Why the server cannot be asked, in words; null where it can be asked. */
  readonly needs: string | null
}

/**
 * The lines of a field that only this tablet has. Where the server cannot be asked, a note says that there are more.
 */
export function UnsentLines({ lines, reader, needs }: UnsentLinesProps) {
  const { t } = useTranslation('trail')
  const versions = useLineVersions(reader, lines)
  return (
    <>
      {lines.length > 0 && versions !== null && (
        <section aria-label={t('unsent.title')}>
          <h2 className={classes.heading}>{t('unsent.title')}</h2>
          <ol className={classes.lines}>
            {lines.map((line) => (
              <TrailEntry key={line.id} line={reader.ofDevice(line, versions)} ofField />
            ))}
          </ol>
        </section>
      )}
      {needs !== null && (
        <Note tone="info" title={needs}>
          {t(lines.length > 0 ? 'offline' : 'offlineNone')}
        </Note>
      )}
    </>
  )
}

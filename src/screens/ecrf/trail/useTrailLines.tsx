import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import type { AuditLine } from '#core/api/calls/sync.ts'
import type { ApiError } from '#core/api/errors.ts'
import { useServerQuery } from '#src/data/server.ts'
import type { Loadable } from '#src/data/shapes/types.ts'
import type { Page } from '#core/wire/shapes.ts'

import type { TrailQuery } from './filter.ts'
import { useLineVersions } from './lineVersions.ts'
import type { TrailLine, TrailReader } from './trailLine.ts'
import { CHUNK, useParts } from './useParts.ts'

type Chunk = Loadable<Page<AuditLine>>

/** A log, as far as it was read from the server. */
export interface TrailLines {
  /** The lines so far; null until the first are there. */
  readonly lines: readonly TrailLine[] | null
  readonly total: number
  readonly totalIsLeast: boolean
  /** Why no more could be read; null where nothing failed. */
  readonly error: ApiError | null
  /** Reads earlier lines; null where there are none, or while they are being read. */
  readonly onMore: (() => void) | null
  readonly isReading: boolean
  /** What reads the chunks; it draws nothing. */
  readonly readers: ReactNode
}

/** The lines of a patient's log that pass a filter, chunk by chunk. @param asOf another text reads all again */
export function useTrailLines(query: TrailQuery, asOf: string, reader: TrailReader, isDue: boolean): TrailLines {
  const log = `${JSON.stringify(query)} ${asOf}`
  const { parts, more } = useParts(log)
  const [read, setRead] = useState<{ readonly log: string; readonly chunks: ReadonlyMap<string | null, Chunk> }>({
    log,
    chunks: NOTHING,
  })
  const chunks = read.log === log ? read.chunks : NOTHING
  const [first, last] = [chunks.get(null), chunks.get(parts.at(-1) ?? null)]
  const pages = parts.flatMap((before) => {
    const chunk = chunks.get(before)
    return chunk?.state === 'ready' ? [chunk.value] : []
  })
  const lines = useKnownLines(
    log,
    pages.flatMap(({ records }) => records),
    reader,
  )
  const end = pages.at(-1)?.records.at(-1)
  const isFull = last?.state === 'ready' && last.value.records.length === CHUNK
  return {
    lines: first?.state === 'ready' ? lines : null,
    total: pages[0]?.total ?? 0,
    totalIsLeast: pages[0]?.totalIsLeast === true,
    error: last?.state === 'failed' ? last.error : null,
    onMore: isFull && end !== undefined ? () => more(`${end.seq}.${end.ord}`) : null,
    isReading: parts.length > 1 && (last === undefined || last.state === 'loading'),
    readers: isDue
      ? parts.map((before) => (
          <ChunkReader
            key={`${log} ${before}`}
            query={query}
            asOf={asOf}
            before={before}
            onRead={(chunk) =>
              setRead((known) => ({
                log,
                chunks: new Map([...(known.log === log ? known.chunks : NOTHING), [before, chunk]]),
              }))
            }
          />
        ))
      : null,
  }
}

const NOTHING: ReadonlyMap<string | null, Chunk> = new Map()

/** The lines in words; those of before while the versions of further ones are read. */
function useKnownLines(log: string, records: readonly AuditLine[], reader: TrailReader): readonly TrailLine[] | null {
  const versions = useLineVersions(reader, records)
  const sign = `${log} ${records.length} ${records.at(-1)?.id ?? ''} ${versions?.size ?? ''}`
  const [known, setKnown] = useState<{
    readonly log: string
    readonly sign: string
    readonly reader: TrailReader
    readonly lines: readonly TrailLine[]
  } | null>(null)
  if (versions !== null && (known?.sign !== sign || known.reader !== reader)) {
    const lines = records.map((line) => reader.ofServer(line, versions))
    setKnown({ log, sign, reader, lines })
    return lines
  }
  return known?.log === log ? known.lines : null
}

interface ChunkReaderProps {
  readonly query: TrailQuery
  readonly asOf: string
  readonly before: string | null
  readonly onRead: (chunk: Chunk) => void
}

/** Reads one chunk: each has a reading of its own, and there are as many as a person asked for. */
function ChunkReader({ query, asOf, before, onRead }: ChunkReaderProps) {
  const after = before === null ? {} : { before }
  const of = useServerQuery(
    'audit.list',
    { query: { ...query, ...after, size: CHUNK }, projectId: query.projectId },
    asOf,
  )
  const [value, error] = [of.state === 'ready' ? of.value : null, of.state === 'failed' ? of.error : null]
  useEffect(() => {
    onRead(of)
    // Each drawing has another object of the same: what was read tells whether there is anything new.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [of.state, value, error])
  return null
}

import { useEffect, useState } from 'react'
import type { FileStanding } from '#src/data/shapes/fileTypes.ts'

import type { FilePort } from '../filePort.ts'

const NOTHING_KNOWN: ReadonlyMap<string, FileStanding> = new Map()

/** The states of the files of a page, by file id; empty while they are not known. */
export function useStandings(port: Pick<FilePort, 'standings' | 'watch'> | null): ReadonlyMap<string, FileStanding> {
  const [standings, setStandings] = useState(NOTHING_KNOWN)
  useEffect(() => {
    if (port === null) return
    let isOver = false
    const read = () => {
      void port.standings().then((read) => {
        if (!isOver) setStandings(read)
      })
    }
    read()
    const stop = port.watch(read)
    return () => {
      isOver = true
      stop()
    }
  }, [port])
  return standings
}

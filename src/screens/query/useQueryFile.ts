import { use, useState } from 'react'
import type { LineProblem, PlacedLine } from '#core/api/calls/review/queryLines.ts'
import type { ApiError } from '#core/api/errors.ts'
import { fileQueryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { canonicalJson } from '#core/json.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import { useServerCall } from '#src/data/server.ts'
import { isTaken } from '#src/form/queries/takenId.ts'
import { useLeft } from '#src/ui/useLeft.ts'

import { questionOf, readQueryFile } from './readQueryFile.ts'
import type { FileLine, FileProblem } from './readQueryFile.ts'

/** The questions of a file: where they belong, which of them are asked, and what became of each. */

/** A line that can be asked. */
interface Ready extends Extract<PlacedLine, { readonly place: unknown }> {
  /** Of the query. The same line has the same one as long as the dialog is open, so that it is asked once. */
  readonly id: string
  /** Whether a line before it asks the same. */
  readonly isTwin: boolean
}

export type CheckedProblem = LineProblem | 'urgent_wrong' | 'unreadable'

export interface CheckedLine {
  readonly line: FileLine
  readonly found: Ready | { readonly problem: CheckedProblem }
}

export interface CheckedFile {
  readonly name: string
  readonly versionId: string | null
  readonly lines: readonly CheckedLine[]
}

export type Chosen =
  | { readonly state: 'none' | 'reading' }
  | { readonly state: 'refused'; readonly name: string; readonly problem: FileProblem }
  | { readonly state: 'failed'; readonly name: string; readonly error: ApiError }
  | { readonly state: 'ready'; readonly file: CheckedFile }

const NOBODY: ReadonlySet<string> = new Set()

/** @param onRaised a query was asked */
export function useQueryFile(projectId: string, onRaised: () => void) {
  const call = useServerCall()
  const device = use(DeviceContext)
  const [sitting] = useState(newId)
  const [chosen, setChosen] = useState<Chosen>({ state: 'none' })
  const [ticked, setTicked] = useState(NOBODY)
  const [raised, setRaised] = useState(NOBODY)
  const [failed, setFailed] = useState<ReadonlyMap<string, ApiError>>(new Map())
  const [progress, setProgress] = useState<{ readonly done: number; readonly all: number } | null>(null)
  const isLeft = useLeft()

  const choose = async (file: File): Promise<void> => {
    const { name } = file
    setChosen({ state: 'reading' })
    const read = readQueryFile(new Uint8Array(await file.arrayBuffer()))
    if (!read.ok) return setChosen({ state: 'refused', name, problem: read.problem })
    const asked = read.lines.filter(({ isClean }) => isClean)
    const body = { projectId, lines: asked.map(questionOf) }
    const placed = asked.length === 0 ? null : await call('query.placeLines', { body, projectId })
    if (placed?.ok === false) return setChosen({ state: 'failed', name, error: placed.error })
    const { versionId, lines } = placed?.value ?? { versionId: null, lines: [] }
    const checked = checkLines(sitting, read.lines, new Map(asked.map((line, at) => [line, lines[at]])))
    setTicked(
      new Set(checked.flatMap(({ found }) => (isFirstOffered(found) && !raised.has(found.id) ? [found.id] : []))),
    )
    setFailed(new Map())
    return setChosen({ state: 'ready', file: { name, versionId, lines: checked } })
  }

  const tick = (ids: readonly string[], isOn: boolean) =>
    setTicked((before) => {
      const next = new Set(before)
      for (const id of ids) {
        if (isOn) next.add(id)
        else next.delete(id)
      }
      return next
    })

  /** Asks what is ticked, one after the other. One that fails stops none; leaving stops before the next. */
  const raise = async (): Promise<void> => {
    if (chosen.state !== 'ready' || device === null) return
    const { versionId, lines } = chosen.file
    const wanted = lines.filter(({ found }) => 'place' in found && ticked.has(found.id) && !raised.has(found.id))
    setFailed(new Map())
    for (const [done, { line, found }] of wanted.entries()) {
      if (isLeft.current) return
      if (!('place' in found)) continue
      setProgress({ done, all: wanted.length })
      const { id, place, content, dueOn } = found
      const question = { place, text: line.cells.text, isCandidate: false, isUrgent: line.isUrgent === true, dueOn }
      const seen = content === null ? {} : { seen: content }
      const said = await device.raiseQuery(projectId, versionId, { ...question, ...seen, id })
      if (said.ok || isTaken(said.error)) {
        onRaised()
        setRaised((before) => new Set([...before, id]))
        tick([id], false)
      } else setFailed((before) => new Map([...before, [id, said.error]]))
    }
    setProgress(null)
  }
  return { chosen, choose, ticked, tick, raised, failed, progress, raise }
}

/** What asks the same again is not offered by itself. */
function isFirstOffered(found: CheckedLine['found']): found is Ready {
  return 'place' in found && !found.isTwin && found.sameNo === null
}

function checkLines(
  sitting: string,
  lines: readonly FileLine[],
  placed: ReadonlyMap<FileLine, PlacedLine | undefined>,
): readonly CheckedLine[] {
  const counts = new Map<string, number>()
  return lines.map((line): CheckedLine => {
    const found = placed.get(line)
    if (found === undefined) return { line, found: { problem: 'unreadable' } }
    if ('problem' in found) return { line, found }
    if (line.isUrgent === null) return { line, found: { problem: 'urgent_wrong' } }
    const what = canonicalJson({ ...found.place, text: line.cells.text })
    const nth = counts.get(what) ?? 0
    counts.set(what, nth + 1)
    return { line, found: { ...found, id: fileQueryId(sitting, what, nth), isTwin: nth > 0 } }
  })
}

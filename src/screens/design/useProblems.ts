import { wrap } from 'comlink'
import type { Remote } from 'comlink'
import { useEffect, useRef, useState } from 'react'
import type { Design } from '#core/design/design.ts'
import { foldersOf } from '#core/design/design.ts'
import type { ProblemsWorker } from '#core/design/problemsWorker.ts'
import type { VersionProblem } from '#core/design/versionProblems.ts'

/** From the last edit to the check, in milliseconds: nobody reads a list that changes at every key. */
const CHECK_AFTER = 700

/** The problems of the version, found in a thread beside the page; null until the first check. */
export function useProblems(design: Design): readonly VersionProblem[] | null {
  const [problems, setProblems] = useState<readonly VersionProblem[] | null>(null)
  // One remote for the whole life of its thread: when a remote is garbage-collected, comlink ends what it stands for.
  const checker = useRef<{ readonly thread: Worker; readonly remote: Remote<ProblemsWorker> } | null>(null)
  useEffect(
    () => () => {
      checker.current?.thread.terminate()
      checker.current = null
    },
    [],
  )
  useEffect(() => {
    let stale = false
    const check = async () => {
      checker.current ??= startChecker()
      const found = await checker.current.remote.versionProblems([...foldersOf(design)])
      if (!stale) setProblems(found)
    }
    const timer = setTimeout(() => void check(), CHECK_AFTER)
    return () => {
      stale = true
      clearTimeout(timer)
    }
  }, [design])
  return problems
}

function startChecker(): { readonly thread: Worker; readonly remote: Remote<ProblemsWorker> } {
  const thread = new Worker(new URL('../../../workers/problems.worker.ts', import.meta.url), { type: 'module' })
  return { thread, remote: wrap<ProblemsWorker>(thread) }
}

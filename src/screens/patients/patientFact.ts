import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { FolderRow } from '#core/api/sync/rows.ts'
import { daysBetween } from '#core/study/visits/days.ts'
import { isMadeByHand } from '#core/study/visits/pageDemand.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import type { VisitStatus } from '#core/study/visits/schedule.ts'
import type { Glance, NextVisit } from '#src/data/shapes/listTypes.ts'
import { today } from '#src/data/shapes/today.ts'
import type { PageMark } from '#src/data/shapes/types.ts'
import { stateOfPages } from '#src/ui/badges/pageState.ts'
import type { PageState } from '#src/ui/badges/pageState.ts'
import { dotOf, useDotWords } from '#src/ui/badges/visitDots.ts'
import type { Dot } from '#src/ui/badges/visitDots.ts'
import { rememberWords } from '#src/ui/words/rememberWords.ts'
import { useNames } from '#src/ui/words/useNames.ts'

/** One visit of a patient, as the strip and the panel show it. */
export interface VisitFact {
  readonly folder: FolderRow
  readonly dot: Dot
  readonly state: PageState
  readonly status: VisitStatus | null
  readonly submitted: number
  readonly asked: number
  readonly pages: readonly PageMark[]
}

/**
 * What a line shows of a patient once it is read. All but the sign is worked out when it is first shown: of the lines
 * that are read ahead of a scroll, most are never seen.
 */
export interface PatientFact {
  /** The same for two facts that show the same. */
  readonly sign: string
  readonly visits: readonly VisitFact[]
  readonly dots: readonly Dot[]
  /** The dots in words. */
  readonly dotWords: string
  readonly missing: number
  readonly next: (NextVisit & { readonly name: string; readonly left: number; readonly leftWords: string }) | null
}

/**
 * What a line shows of a glance, in the reader's words; null until the version is read. The same function as long as
 * version and language stay.
 */
export function usePatientFacts(folders: readonly FolderRow[] | null): ((glance: Glance) => PatientFact) | null {
  const { t, i18n } = useTranslation('patients')
  const names = useNames()
  const dotWords = useDotWords()
  return useMemo(() => {
    if (folders === null) return null
    const columns = folders.filter(({ schedule }) => schedule?.kind !== 'unscheduled')
    const asked = new Map(
      columns.map(({ id, pages }) => [id, pages.filter(({ option }) => !isMadeByHand(option)).length]),
    )
    const leftWords = rememberWords(
      ({ status }: NextVisit, left: number): string => {
        if (left < 0) return t('next.late', { count: -left })
        if (left === 0) return t('next.today')
        return t(status === 'planned' ? 'next.in' : 'next.left', { count: left })
      },
      ({ status }, left) => `${status} ${left}`,
    )
    const visitsOf = ({ marks, states }: Glance): readonly VisitFact[] => {
      const ofFolder = Map.groupBy(marks, ({ target }) => target.folderId)
      return columns.map((folder) =>
        visitFact(folder, ofFolder.get(folder.id) ?? [], asked.get(folder.id) ?? 0, states.get(folder.id) ?? null),
      )
    }
    const nextOf = ({ next }: Glance): PatientFact['next'] => {
      const folder = folders.find(({ id }) => id === next?.folderId)
      if (next === null || folder === undefined) return null
      const left = daysLeft(next, today())
      return { ...next, name: names.visit(folder), left, leftWords: leftWords(next, left) }
    }
    const make: FactMaker = { visitsOf, nextOf, dotWords }
    return (glance) => new FactOf(glance, make)
    // Every drawing makes new functions, but what they return changes only with the language.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [folders, i18n.language])
}

function visitFact(
  folder: FolderRow,
  pages: readonly PageMark[],
  asked: number,
  status: VisitStatus | null,
): VisitFact {
  const state = stateOfPages(pages, asked)
  return {
    folder,
    dot: dotOf(status, state),
    state,
    status,
    submitted: pages.filter((page) => page.status === SUBMITTED).length,
    asked: Math.max(asked, pages.length),
    pages,
  }
}

/** Days until the window closes, or, of a visit that is still to come, until it opens; negative once it is over. */
function daysLeft({ status, window, plannedDate }: NextVisit, day: string): number {
  return daysBetween(day, status === 'planned' ? (window?.from ?? plannedDate) : (window?.to ?? plannedDate))
}

function missingOf(marks: readonly PageMark[]): number {
  return marks.reduce((sum, { status, progress }) => sum + (status === 'init' ? 0 : (progress?.missing ?? 0)), 0)
}

function signOf({ marks, states, next }: Glance): string {
  return [
    ...marks.map(({ entryId, status, mark, progress }) => `${entryId} ${status} ${mark} ${progress?.missing ?? ''}`),
    [...states].join(' '),
    next === null ? '' : `${next.folderId} ${next.status} ${next.plannedDate} ${daysLeft(next, today())}`,
  ].join('/')
}

interface FactMaker {
  readonly visitsOf: (glance: Glance) => readonly VisitFact[]
  readonly nextOf: (glance: Glance) => PatientFact['next']
  readonly dotWords: (dots: readonly Dot[]) => string
}

/** A class, because a scroll makes thousands: functions of their own would be garbage by the megabyte. */
class FactOf implements PatientFact {
  readonly sign: string
  readonly #glance: Glance
  readonly #make: FactMaker
  #visits: readonly VisitFact[] | null = null
  #dots: readonly Dot[] | null = null
  #words: string | null = null
  #next: PatientFact['next'] | undefined

  constructor(glance: Glance, make: FactMaker) {
    this.sign = signOf(glance)
    this.#glance = glance
    this.#make = make
  }

  get visits(): readonly VisitFact[] {
    return (this.#visits ??= this.#make.visitsOf(this.#glance))
  }

  get dots(): readonly Dot[] {
    return (this.#dots ??= this.visits.map(({ dot }) => dot))
  }

  get dotWords(): string {
    return (this.#words ??= this.#make.dotWords(this.dots))
  }

  get missing(): number {
    return missingOf(this.#glance.marks)
  }

  get next(): PatientFact['next'] {
    if (this.#next === undefined) this.#next = this.#make.nextOf(this.#glance)
    return this.#next
  }
}

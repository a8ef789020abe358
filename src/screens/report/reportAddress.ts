import { measureCodes, reportKinds } from '#core/report/kinds.ts'
import type { MeasureCode, ReportKind } from '#core/report/kinds.ts'

/** What a report screen's address says: which report, and which figure is opened. Ids and codes only. */

const KIND = 'report'
const OPENED = 'opened'
const BETWEEN = '~'

export function kindIn(search: URLSearchParams): ReportKind {
  return reportKinds.find((kind) => kind === search.get(KIND)) ?? 'enrolment'
}

/** The same address for another report: what was opened belongs to the one before. */
export function withKind(search: URLSearchParams, kind: ReportKind): URLSearchParams {
  const next = new URLSearchParams(search)
  next.set(KIND, kind)
  next.delete(OPENED)
  return next
}

/** A figure whose subjects are shown. */
export interface OpenedFigure {
  readonly measure: MeasureCode
  /** Null for all centers together. */
  readonly centerId: string | null
}

export function openedIn(search: URLSearchParams): OpenedFigure | null {
  const [name = '', centerId = ''] = (search.get(OPENED) ?? '').split(BETWEEN)
  const measure = measureCodes.find((code) => code === name)
  return measure === undefined ? null : { measure, centerId: centerId === '' ? null : centerId }
}

export function withOpened(search: URLSearchParams, opened: OpenedFigure | null): URLSearchParams {
  const next = new URLSearchParams(search)
  if (opened === null) next.delete(OPENED)
  else next.set(OPENED, [opened.measure, opened.centerId ?? ''].join(BETWEEN))
  return next
}

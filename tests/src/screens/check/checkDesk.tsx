import { useLocation } from 'react-router-dom'
import { Outlet, Route, Routes } from 'react-router-dom'
import { vi } from 'vitest'
import type {
  CenterProgress,
  PlanCoverage,
  PlanVersion,
  ReviewLine,
  VisitReport,
} from '#core/api/calls/review/check.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { PermissionCode } from '#core/access/permissions.ts'
import type { CenterRow, VersionRow } from '#core/api/sync/rows.ts'
import { err, ok } from '#core/result.ts'
import type { ReviewPlan } from '#core/review/reviewPlan.ts'
import { CheckScreen } from '#src/screens/check/CheckScreen.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show } from '#tests/src/support/screen.tsx'

/** Somebody who checks, at a desk with a server that answers what a test says. */

export const NORTH = '0190a000-0000-7000-8000-0000000000c1'
export const SOUTH = '0190a000-0000-7000-8000-0000000000c2'
export const FOLDER = '0190a000-0000-7000-8000-0000000000f1'
export const VITALS = '0190a000-0000-7000-8000-0000000000b1'
export const DRUGS = '0190a000-0000-7000-8000-0000000000b2'

const center = (id: string, centerName: string): CenterRow => ({ id, centerName }) as CenterRow
const CENTERS = [center(NORTH, '北院'), center(SOUTH, '南院')]

const page = (id: string, pageName: string, column: readonly object[]) => ({
  id,
  pageName,
  pageCode: id.slice(-2),
  repeatable: false,
  option: JSON.stringify({ column }),
  sort: 1,
})

/** A visit with two pages: one has a field that is calculated and one that identifies, the other a table. */
const VERSION = {
  id: '0190a000-0000-7000-8000-0000000000e1',
  versionNo: 1,
  folders: [
    {
      id: FOLDER,
      folderName: '筛选访视',
      folderCode: 'V1',
      sort: 1,
      pages: [
        page(VITALS, '生命体征', [
          { label: '体重', prop: 'weight', type: 'number' },
          { label: '身高', prop: 'height', type: 'number' },
          { label: '体质指数', prop: 'bmi', type: 'number', zl: { calculate: 'weight / height' } },
          { label: '身份证号', prop: 'idNo', type: 'input', zl: { identifier: true } },
        ]),
        page(DRUGS, '合并用药', [
          {
            label: '用药',
            prop: 'drugs',
            type: 'dynamic',
            children: { column: [{ label: '剂量', prop: 'dose', type: 'number' }] },
          },
        ]),
      ],
    },
  ],
} as unknown as VersionRow

let made = 0
const uuid = () => {
  made += 1
  return `0190a000-0000-7000-8000-0000000${String(made).padStart(5, '0')}`
}

/** A page to check, with what a test says about it. */
export function line(facts: Partial<ReviewLine> = {}): ReviewLine {
  return {
    entryId: uuid(),
    patientId: uuid(),
    patientNo: '01-001',
    patientMark: 'AAAA',
    initials: 'ZS',
    centerId: NORTH,
    folderId: FOLDER,
    folderRepeat: '0',
    folderName: '筛选访视',
    folderNameEn: null,
    pageId: VITALS,
    pageRepeat: '0',
    pageName: '生命体征',
    pageNameEn: null,
    parentEntryId: null,
    pass: 1,
    ready: true,
    due: 4,
    done: 1,
    changed: 0,
    rollUp: 'partial',
    queries: 0,
    submittedAt: '2026-11-21T08:00:00.000Z',
    ...facts,
  }
}

export const PLAN: ReviewPlan = {
  critical: [{ pageId: VITALS, table: null, code: 'weight' }],
  sharePercent: 20,
  firstOfCenter: 2,
  folders: null,
  centers: [],
  seed: 'A1B2C3',
}

/** A version of the plan that holds. */
export function version(facts: Partial<PlanVersion> = {}): PlanVersion {
  return {
    id: uuid(),
    track: 'sdv',
    no: 1,
    isActive: true,
    plan: PLAN,
    note: '监查计划 V1.0',
    byName: '陈数管',
    at: '2026-11-01T01:00:00.000Z',
    endedAt: null,
    progress: null,
    ...facts,
  }
}

/** What the server answers; a call that is not named is not expected. */
export interface Answers {
  readonly plans?: readonly PlanVersion[]
  readonly list?: readonly ReviewLine[]
  readonly next?: ReviewLine | null
  readonly progress?: readonly CenterProgress[]
  readonly coverage?: PlanCoverage
  readonly report?: VisitReport
  readonly switched?: PlanVersion | ApiError
}

export type Asked = readonly [id: string, input: { readonly query?: object; readonly body?: object }]

let projects = 0

/** Opens the screen. @returns what was asked of the server, in its order */
export function lookAsOneWho(
  permissions: readonly PermissionCode[],
  answers: Answers,
  { address = '/check', reachable = true as boolean | null, failing = null as ApiError | null } = {},
): { readonly asked: Asked[]; readonly projectId: string } {
  projects += 1
  const projectId = `0190a000-0000-7000-8000-0000000010${String(projects).padStart(2, '0')}`
  const project = projectRow({ id: projectId, permissions: [...permissions] })
  const asked: Asked[] = []
  const call = vi.fn(async (id: string, input: Asked[1]) => {
    asked.push([id, input])
    return failing === null ? answerTo(id, answers) : err(failing)
  }) as unknown as Session['call']
  show(
    <AtDesk desk={{ session: { call, reachable }, centers: CENTERS, version: () => Promise.resolve(ok(VERSION)) }}>
      <Routes>
        <Route element={<Outlet context={{ project }} />}>
          <Route path="/check" element={<CheckScreen />} />
        </Route>
        <Route path="*" element={<Elsewhere />} />
      </Routes>
    </AtDesk>,
    address,
  )
  return { asked, projectId }
}

function Elsewhere() {
  const { pathname, search } = useLocation()
  return <p>{`到达 ${pathname}${search}`}</p>
}

function answerTo(id: string, answers: Answers) {
  const { plans = [version()], list = [], next = null } = answers
  switch (id) {
    case 'review.plans':
      return ok(plans)
    case 'review.list':
      return ok({ records: list, total: list.length, size: 200, current: 1, pages: 1 })
    case 'review.next':
      return ok(next)
    case 'review.progress':
      return ok(answers.progress ?? [])
    case 'review.planCoverage':
      return ok(answers.coverage)
    case 'review.report':
      return ok(answers.report)
    case 'review.planSwitch':
      return answers.switched !== undefined && 'code' in answers.switched ? err(answers.switched) : ok(answers.switched)
    default:
      throw new Error(`nobody expects ${id}`)
  }
}

/** The inputs of a call, in their order. */
export function inputsOf(asked: readonly Asked[], id: string) {
  return asked.flatMap(([one, { query, body }]) => (one === id ? [query ?? body] : []))
}

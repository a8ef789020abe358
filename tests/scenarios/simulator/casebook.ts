import type { FolderSchedule } from '#core/study/visits/visitPlan.ts'
import type { Places } from './places.ts'

/** The pages of the ward's study. In some studies rules of one page read another: then there is a page more. */

const COLUMNS = [
  { prop: 'height', label: '身高', type: 'number', required: true, zl: { min: 30, max: 250 } },
  { prop: 'weight', label: '体重', type: 'number' },
  {
    prop: 'bmi',
    label: 'BMI',
    type: 'number',
    zl: { calculate: 'page.weight / (page.height / 100.0 * (page.height / 100.0))' },
  },
  {
    prop: 'smokes',
    label: '吸烟',
    type: 'radio',
    dicData: [
      { label: '是', value: '1' },
      { label: '否', value: '0' },
    ],
  },
  { prop: 'packs', label: '每日包数', type: 'number', zl: { show: "page.smokes == '1'" } },
  {
    prop: 'signs',
    label: '体征',
    type: 'checkbox',
    dicData: ['a', 'b', 'c', 'd'].map((value) => ({ label: value, value })),
  },
  { prop: 'contact', label: '联系人', type: 'input', zl: { identifier: true } },
  { prop: 'note', label: '备注', type: 'textarea' },
  {
    prop: 'drugs',
    label: '用药',
    type: 'dynamic',
    children: {
      column: [
        { prop: 'drug', label: '药名', type: 'input' },
        { prop: 'dose', label: '剂量', type: 'number' },
      ],
    },
  },
]
/** The first release asks for the pulse, the later ones do not: what comes for it then has no place. */
const PULSE = { prop: 'pulse', label: '脉搏', type: 'number' }
const PHOTOS = { prop: 'photos', label: '舌象', type: 'upload' }
const TERM = { prop: 'term', label: '不良事件', type: 'input' }

/** What each version after the first calculates otherwise: an entry follows the version that it stands under. */
const SHARE = { first: '0.5', later: '0.25' }

/**
 * What the vital signs calculate from the therapy, which itself follows from them: the pages read each other, and no
 * field waits for itself.
 */
const LOAD = { prop: 'load', label: '负荷', type: 'number', zl: { calculate: 'visit.TX.course + 1.0' } }

/** Follows from the vital signs: on every repeat, within the page in turn, and shown by what may be hidden there. */
function crossingEvent(versionNo: number): readonly object[] {
  const share = versionNo === 1 ? SHARE.first : SHARE.later
  return [
    TERM,
    { prop: 'amount', label: '剂量', type: 'number', zl: { calculate: `visit.VS.weight * ${share}` } },
    { prop: 'daily', label: '日剂量', type: 'number', zl: { calculate: 'page.amount * 2.0' } },
    { prop: 'lung', label: '肺部', type: 'input', zl: { show: 'form.V1.VS.packs > 1.0' } },
  ]
}

/** Follows from what the adverse event calculates and hides, and from the vital signs beside it. */
const THERAPY = [
  { prop: 'plan', label: '方案', type: 'textarea' },
  { prop: 'given', label: '已用', type: 'number' },
  { prop: 'course', label: '疗程', type: 'number', zl: { calculate: 'visit.AE.amount * 3.0' } },
  { prop: 'balance', label: '差额', type: 'number', zl: { calculate: 'form.V1.VS.weight - visit.AE.daily' } },
  { prop: 'cough', label: '咳嗽', type: 'input', zl: { show: "visit.AE.lung != '无'" } },
]

/** Fields of the study's pages that rules calculate. */
export const CALCULATED: ReadonlySet<string> = new Set(['bmi', 'load', 'amount', 'daily', 'course', 'balance'])

/** Fields whose values tell who the patient is: no reviewer may see them. */
export const IDENTIFYING: ReadonlySet<string> = new Set(['contact'])

/** A page of a version, as it is stored. */
interface StoredPage {
  readonly id: string
  readonly name: string
  readonly code: string
  readonly repeatable: boolean
  readonly sort: number
  readonly option: string
}

/** When the visit is planned where visits are kept: two weeks after enrolment, and as often as somebody makes one. */
export const PLANNED: FolderSchedule = {
  kind: 'planned',
  anchor: { of: 'enrolment' },
  day: 14,
  before: 3,
  after: 3,
  repeating: true,
}

/** What a study has besides: rules that read other pages; photographs; reviewers. */
export interface Traits {
  readonly crosses: boolean
  readonly casebook: boolean
  readonly reviews: boolean
}

export function pagesOf(
  { vitalsId, eventId, therapyId }: Places,
  versionNo: number,
  { crosses, casebook }: Pick<Traits, 'crosses' | 'casebook'>,
): readonly StoredPage[] {
  const vitals = [
    ...COLUMNS,
    versionNo === 1 ? PULSE : { prop: `extra${versionNo}`, label: '补充', type: 'input' },
    ...(crosses ? [LOAD] : []),
    ...(casebook ? [PHOTOS] : []),
  ]
  const event = crosses ? crossingEvent(versionNo) : [TERM]
  const page = (sort: number, id: string, name: string, code: string, column: readonly object[]): StoredPage => {
    return { id, name, code, repeatable: code === 'AE', sort, option: JSON.stringify({ column }) }
  }
  return [
    page(0, vitalsId, '生命体征', 'VS', vitals),
    page(1, eventId, '不良事件', 'AE', event),
    ...(crosses ? [page(2, therapyId, '治疗', 'TX', THERAPY)] : []),
  ]
}

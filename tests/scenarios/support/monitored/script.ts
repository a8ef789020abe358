import type { ReviewPlan } from '#core/review/reviewPlan.ts'

import { EAST, VISITS, pageId } from './casebook.ts'
import type { Step, Walk } from './play.ts'

/** A day of the study: who does what, in this order. */

/** The data manager and the monitor ask, before anything is verified. */
export const MORNING: readonly Step[] = [
  { who: 'qian', asks: 'N11 DM age', says: '年龄请核对', as: 'candidate' },
  { who: 'qian', asks: 'S11 DM age', says: '年龄请核对', as: 'candidate' },
  { who: 'qian', asks: 'E11 DM age', says: '年龄请核对', as: 'candidate' },
  { who: 'qian', asks: 'E2 VS pulse', says: '脉搏请核对', dueOn: '2020-01-01' },
  { who: 'qian', does: 'promote', about: 'N11 DM age' },
  { who: 'qian', does: 'reject', about: 'S11 DM age', says: '同一问题已问过' },
  { who: 'zheng', asks: 'N1 VS pulse', says: '请核对原始病历' },
  { who: 'zheng', asks: 'N2', says: '知情同意书未见' },
  { who: 'zheng', asks: 'N3 CM', says: '用药是否齐全' },
  { who: 'zheng', asks: 'N4 VS sbp', says: '测量体位未记录' },
  { who: 'zheng', asks: 'N5 CM 1', says: '此药病历中未见' },
  { who: 'zheng', asks: 'S4 V1', says: '访视日期请确认' },
  { who: 'zheng', asks: 'S6 VS pulse', says: '请核对原始病历' },
  { who: 'zheng', asks: 'N13 DM sex', says: '性别与病历不符', as: 'candidate' },
]

/**
 * Both pressures and each dose of everybody; all of the baseline of a tenth and of the first two of a center, in the
 * east of the first five.
 */
export const SDV_PLAN: ReviewPlan = {
  critical: [
    { pageId: pageId('VS'), table: null, code: 'sbp' },
    { pageId: pageId('FU'), table: null, code: 'sbp' },
    { pageId: pageId('CM'), table: 'drugs', code: 'dose' },
  ],
  sharePercent: 10,
  firstOfCenter: 2,
  folders: [VISITS.baseline],
  centers: [{ centerId: EAST, sharePercent: 0, firstOfCenter: 5 }],
  seed: 'monitors-day',
}

/** Everything of the first ten of each center. */
export const DMR_PLAN: ReviewPlan = {
  critical: [],
  sharePercent: 0,
  firstOfCenter: 10,
  folders: null,
  centers: [],
  seed: 'monitors-day',
}

/** The monitor goes to the tenth patient of the north. */
export const SDV_WALK: Walk = {
  who: 'zheng',
  track: 'sdv',
  center: 'N',
  last: 'N10 FU',
  exempt: { 'N6 VS': '原始记录缺失' },
}
/** The data manager reviews the first two patients of the east. */
export const DMR_WALK: Walk = { who: 'qian', track: 'dmr', center: 'E', last: 'E2 FU' }

/** While the tablets of the north are away, what they do not know of. */
export const MEANWHILE: readonly Step[] = [
  { who: 'zheng', does: 'unverify', of: 'N4 VS sbp', in: 'sdv', note: '核对有误' },
  { who: 'zheng', does: 'close', about: 'N1 VS pulse' },
  { who: 'zheng', does: 'cancel', about: 'N2', says: '已找到' },
  { who: 'qian', does: 'close', about: 'N40 VS sbp' },
  { who: 'qian', does: 'verify', of: 'N1 CM 1 drug', in: 'dmr', note: null },
  { who: 'qian', does: 'verify', of: 'N1 CM 1 dose', in: 'dmr', note: null },
  { who: 'qian', does: 'verify', of: 'N1 CM 2 drug', in: 'dmr', note: null },
  { who: 'qian', does: 'verify', of: 'N1 CM 2 dose', in: 'dmr', note: null },
]

/** The tablets of the north, without a network. */
export const OFFLINE: readonly Step[] = [
  { who: 'lin', does: 'answer', about: 'N10 VS sbp', kind: 'confirmed' },
  { who: 'lin', does: 'answer', about: 'N2', says: '已补签' },
  { who: 'lin', does: 'answer', about: 'N30 VS sbp', kind: 'confirmed' },
  { who: 'lin', does: 'answer', about: 'N3 CM', kind: 'added' },
  { who: 'lin', does: 'answer', about: 'N4 VS sbp', says: '坐位' },
  { who: 'lin', corrects: 'N20 VS sbp', to: '119', why: 'transcription' },
  { who: 'lin', corrects: 'N50 VS sbp', to: '139', why: 'transcription' },
  { who: 'lin', corrects: 'N40 VS pulse', to: '74', why: 'clarification' },
  { who: 'lin', corrects: 'N1 CM 2 dose', to: '120', why: 'new_source' },
  { who: 'lin', deletes: 'N5 CM 1', why: 'query_answer' },
  { who: 'wu', corrects: 'N10 VS sbp', to: '139', why: 'query_answer' },
  { who: 'wu', does: 'answer', about: 'N10 VS sbp', kind: 'corrected' },
  { who: 'wu', does: 'answer', about: 'N1 VS pulse', kind: 'confirmed' },
  { who: 'wu', corrects: 'N3 VS dbp', to: '75', why: 'query_answer' },
  { who: 'wu', does: 'answer', about: 'N3 VS dbp', kind: 'corrected' },
  { who: 'wu', does: 'answer', about: 'N7 CM 2 dose', kind: 'confirmed' },
  { who: 'wu', does: 'answer', about: 'N1 DM name', says: '身份证上即为佚某' },
  { who: 'wu', corrects: 'N8 VS sbp', to: '125', why: 'transcription' },
]

/** The tablets come back one after the other. */
export const BACK: readonly Step[] = [
  { who: 'lin', syncs: true },
  { who: 'wu', syncs: true },
  { who: 'lin', syncs: true },
]

/** Everybody online: what came in is read, closed, or asked again. */
export const AFTERNOON: readonly Step[] = [
  { who: 'qian', does: 'close', about: 'N10 VS sbp' },
  { who: 'qian', does: 'close', about: 'N3 VS dbp' },
  { who: 'qian', does: 'requery', about: 'N30 VS sbp', says: '请附复测记录' },
  { who: 'qian', does: 'reopen', about: 'N20 VS sbp', says: '更正无依据' },
  { who: 'qian', does: 'cancel', about: 'E2 VS pulse', says: '已电话确认' },
  { who: 'zheng', does: 'close', about: 'N1 VS pulse' },
  { who: 'zheng', does: 'close', about: 'N4 VS sbp' },
  { who: 'zheng', does: 'requery', about: 'N3 CM', says: '请写明补充了什么' },
  { who: 'south', syncs: true },
  { who: 'south', does: 'answer', about: 'S4 V1', kind: 'confirmed' },
  { who: 'south', does: 'answer', about: 'S6 VS pulse', kind: 'confirmed' },
  { who: 'south', corrects: 'S10 VS sbp', to: '150', why: 'transcription' },
  { who: 'south', syncs: true },
  { who: 'zheng', does: 'close', about: 'S6 VS pulse' },
  { who: 'lin', syncs: true },
  { who: 'lin', does: 'answer', about: 'N3 CM', says: '无其他用药' },
  { who: 'lin', corrects: 'N9 FU sbp', to: '121', why: 'transcription' },
  { who: 'lin', syncs: true },
  { who: 'lin', corrects: 'N9 FU sbp', to: '120', why: 'transcription' },
  { who: 'lin', syncs: true },
  { who: 'xu', syncs: true },
  { who: 'xu', corrects: 'E1 VS pulse', to: '75', why: 'transcription' },
  { who: 'xu', syncs: true },
  { who: 'zheng', does: 'verify', of: 'N8 VS sbp', in: 'sdv', note: null },
]

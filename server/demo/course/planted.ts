import type { PlantedPage } from '#server/demo/course/pages.ts'

/**
 * Planted problems, as a data manager meets them: gaps, reasons, contradictions and corrections. All other data of
 * the demo's subjects are complete and pass the checks of their pages.
 */

export interface Planted extends PlantedPage {
  /** What the problem shows. */
  readonly what: 'saved' | 'required' | 'message' | 'reason' | 'hidden' | 'corrected'
  /** Fields for which the page's checks or bounds give a message. */
  readonly says?: readonly string[]
}

export const planted: readonly Planted[] = [
  {
    no: '01-002',
    folder: 'SCR',
    page: 'VS',
    what: 'saved',
    values: { height: 172, weight: 80, pulse: 70, sbp: 146, dbp: 90 },
    without: ['temperature', 'waist', 'breath'],
    submit: false,
  },
  { no: '01-005', folder: 'V2', page: 'QOL', what: 'required', without: ['vas_sleep', 'vas_mood'], submit: false },
  { no: '02-003', folder: 'V3', page: 'EX', what: 'required', without: ['ex_back'], submit: false },
  { no: '03-004', folder: 'SCR', page: 'MH', what: 'required', without: ['ccs'], submit: false },

  {
    no: '01-006',
    folder: 'V1',
    page: 'VS',
    what: 'message',
    values: { sbp: 186 },
    confirmed: { sbp: '间隔 10 分钟复测仍为 184 mmHg，已请心内科会诊并调整降压药。' },
    says: ['sbp'],
  },
  {
    no: '01-008',
    folder: 'V2',
    page: 'EX',
    what: 'message',
    values: { ex_back: 66, ex_why: '外出时忘带药物，漏服约 4 天。' },
    says: ['ex_rate'],
  },
  { no: '01-010', folder: 'V2', page: 'VS', what: 'message', values: { weight: 712 }, submit: false, says: ['weight'] },
  {
    no: '02-004',
    folder: 'V1',
    page: 'AP',
    what: 'message',
    values: { attacks: 0, nitro: '1', nitro_dose: 2 },
    without: ['duration', 'pain', 'triggers'],
    says: ['nitro'],
  },
  {
    no: '02-006',
    folder: 'V1',
    page: 'VS',
    what: 'message',
    values: { sbp: 84, dbp: 124 },
    submit: false,
    says: ['dbp'],
  },
  {
    no: '02-009',
    folder: 'V3',
    page: 'TCM',
    what: 'message',
    values: { coating: ['1', '2'] },
    submit: false,
    says: ['coating'],
  },
  { no: '02-017', folder: 'SCR', page: 'LB', what: 'message', values: { wbc: 11.2, wbc_cs: '2' }, says: ['wbc_cs'] },
  {
    no: '03-002',
    folder: 'V2',
    page: 'EFF',
    what: 'message',
    values: { judged: '3', judged_why: '积分略有上升，但受试者自觉无明显变化。' },
    says: ['judged'],
  },

  {
    no: '01-009',
    folder: 'V1',
    page: 'VS',
    what: 'reason',
    without: ['waist'],
    missing: { waist: { m: 'ND', reason: '受试者着厚衣，未测' } },
  },
  {
    no: '01-012',
    folder: 'SCR',
    page: 'DM',
    what: 'reason',
    without: ['contact', 'phone'],
    missing: { contact: { m: 'NA', reason: '独居，无联系人' }, phone: { m: 'NA', reason: '' } },
  },
  {
    no: '02-002',
    folder: 'V3',
    page: 'EG',
    what: 'reason',
    without: ['qt'],
    missing: { qt: { m: 'ND', reason: '基线漂移，无法测量' } },
  },
  {
    no: '02-008',
    folder: 'SCR',
    page: 'MH',
    what: 'reason',
    without: ['sap_onset'],
    missing: { sap_onset: { m: 'UNK', reason: '受试者不记得' } },
  },
  {
    no: '03-001',
    folder: 'V3',
    page: 'LB',
    what: 'reason',
    without: ['glu', 'glu_cs'],
    missing: { glu: { m: 'UNK', reason: '标本溶血，结果未出' } },
  },

  {
    no: '01-003',
    folder: 'LOG',
    page: 'AE',
    what: 'hidden',
    values: { ae_serious: '1', sae_kind: ['6'] },
    corrections: [
      {
        values: { ae_serious: '0' },
        reason: { code: 'clarification', text: '研究者复核：不符合严重不良事件的标准' },
        submit: true,
      },
    ],
    submit: false,
  },
  {
    no: '02-011',
    folder: 'SCR',
    page: 'MH',
    what: 'hidden',
    values: { smoking: '3', cigarettes: 10, smoking_years: 20 },
    corrections: [
      { values: { smoking: '1' }, reason: { code: 'new_source', text: '家属更正：从不吸烟' }, submit: true },
    ],
  },
  {
    no: '03-009',
    folder: 'LOG',
    page: 'CM',
    what: 'hidden',
    corrections: [
      { values: { cm_any: '0' }, reason: { code: 'transcription', text: '误录为他人的用药' }, submit: true },
    ],
  },

  {
    no: '02-001',
    folder: 'V1',
    page: 'VS',
    what: 'corrected',
    values: { sbp: 143 },
    corrections: [{ values: { sbp: 134 }, reason: { code: 'transcription', text: '源数据为 134' }, submit: true }],
  },
  {
    no: '03-008',
    folder: 'V2',
    page: 'VS',
    what: 'corrected',
    values: { pulse: 97 },
    corrections: [
      { values: { pulse: 79 }, reason: { code: 'query_answer', text: '数字颠倒，已按护理记录更正' }, submit: true },
    ],
  },
]

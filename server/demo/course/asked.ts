import type { AnswerCategory } from '#core/review/queryThread.ts'
import type { QueryAct } from '#core/review/query.ts'

/**
 * What the monitor and the data manager of the demo ask about planted problems (planted.ts), and what the sites answer:
 * each state of a query is there.
 */

/** One act after the question. The site's are by the coordinator of the center, the others by who has asked. */
export interface AskedStep {
  readonly act: QueryAct
  readonly text: string | null
  readonly category?: AnswerCategory
}

export interface Asked {
  /** Number of the subject. */
  readonly no: string
  readonly folder: string
  readonly page: string
  /** Null for a question about the page as a whole. */
  readonly code: string | null
  readonly by: 'cra' | 'dbd'
  readonly text: string
  readonly isUrgent?: boolean
  readonly isCandidate?: boolean
  readonly steps: readonly AskedStep[]
}

export const asked: readonly Asked[] = [
  {
    no: '01-006',
    folder: 'V1',
    page: 'VS',
    code: 'sbp',
    by: 'cra',
    text: '收缩压 186 mmHg，请核对原始记录，并说明是否需要报告不良事件。',
    steps: [
      {
        act: 'answer',
        text: '与原始记录一致，间隔 10 分钟复测 184 mmHg，已请心内科会诊，研究者判断不属于不良事件。',
        category: 'confirmed',
      },
    ],
  },
  {
    no: '01-010',
    folder: 'V2',
    page: 'VS',
    code: 'weight',
    by: 'dbd',
    text: '体重 712 kg，疑似漏填小数点，请核实并更正。',
    isUrgent: true,
    steps: [],
  },
  {
    no: '01-005',
    folder: 'V2',
    page: 'QOL',
    code: 'vas_sleep',
    by: 'dbd',
    text: '该项缺失，请补充；无法获取的请说明原因。',
    steps: [],
  },
  {
    no: '01-008',
    folder: 'V2',
    page: 'EX',
    code: null,
    by: 'cra',
    text: '漏服约 4 天，依从性低于 80%，是否按方案偏离记录？',
    isCandidate: true,
    steps: [],
  },
  {
    no: '02-004',
    folder: 'V1',
    page: 'AP',
    code: 'nitro',
    by: 'cra',
    text: '未发作却使用了硝酸甘油，请核实发作次数。',
    steps: [
      { act: 'answer', text: '受试者自述为预防性含服。', category: 'confirmed' },
      { act: 'requery', text: '请在原始病历中补充预防性用药的记录，并更新合并用药页。' },
    ],
  },
  {
    no: '02-006',
    folder: 'V1',
    page: 'VS',
    code: 'dbp',
    by: 'dbd',
    text: '舒张压高于收缩压，请核对两项是否填反。',
    steps: [],
  },
  {
    no: '02-009',
    folder: 'V3',
    page: 'TCM',
    code: 'coating',
    by: 'dbd',
    text: '苔色同时选择两项，请核实。',
    steps: [{ act: 'cancel', text: '该字段允许多选，提问有误。' }],
  },
  {
    no: '02-017',
    folder: 'SCR',
    page: 'LB',
    code: 'wbc',
    by: 'cra',
    text: '白细胞 11.2×10⁹/L 高于参考范围，请确认有无临床意义。',
    steps: [
      { act: 'answer', text: '研究者判断为异常无临床意义，已在原始病历中签字。', category: 'confirmed' },
      { act: 'close', text: null },
    ],
  },
  {
    no: '03-004',
    folder: 'SCR',
    page: 'MH',
    code: 'ccs',
    by: 'cra',
    text: 'CCS 分级未填写，该项是入选标准的依据，请补充。',
    steps: [],
  },
]

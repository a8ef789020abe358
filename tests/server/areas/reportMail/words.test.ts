import { describe, expect, it } from 'vitest'
import type { Report } from '#core/api/calls/data/report.ts'
import { newId } from '#core/ids.ts'
import { wordReport } from '#server/areas/reportMail/words.ts'

/** What a report by e-mail says where a part of it, or all, comes from a form that is not recognised. */

function told(report: Omit<Report, 'at' | 'months' | 'reasons' | 'sources'>) {
  return {
    projectName: '示例研究 / Sample study',
    centerName: null,
    report: { ...report, at: '2026-12-01T00:00:00.000Z', months: [], reasons: [], sources: [] },
    period: null,
    day: '2026-12-01',
    address: null,
  }
}

const VISITS_ONLY = { withDeviation: 2, numbered: 8, recorded: null, major: null, minor: null, outside: 3, missed: 1 }

describe('deviations of a study without a form of deviations', () => {
  it('have the figures of visits, a dash for what nobody records, and the reason', () => {
    const lines = [{ id: newId(), name: '北京一院', figures: VISITS_ONLY }]
    const report = { kind: 'deviations', lines, total: VISITS_ONLY, untold: 'noForm' } as const
    const { content, html } = wordReport(told({ ...report, lines: [...lines] }), 'zh')
    expect(content).toContain('窗外进行：3')
    expect(content).toContain('登记的偏离（件）：–')
    expect(content).toContain('未识别出方案偏离表单')
    expect(content).not.toContain('不良事件')
    expect(html).toContain('<td')
  })
})

describe('adverse events of a study without a form of them', () => {
  it('have no figure at all: only the reason stands there', () => {
    const { content, html } = wordReport(told({ kind: 'adverseEvents', lines: [], total: {}, untold: 'noForm' }), 'en')
    expect(content).toContain('No adverse event form is recognised')
    expect(html).not.toContain('<td')
  })
})

import type { DefinitionInput } from '#core/api/calls/design.ts'
import { attacks, effect, qualityOfLife } from '#server/demo/study/efficacy.ts'
import { electrocardiogram, laboratory, vitalSigns } from '#server/demo/study/examinations.ts'
import { plan } from '#server/demo/study/plan.ts'
import { demographics, eligibility, history } from '#server/demo/study/screening.ts'
import { fourExaminations, syndromeScale } from '#server/demo/study/tcm.ts'
import { adverseEvents, compliance, ending, otherDrugs, randomisation } from '#server/demo/study/treatment.ts'

/**
 * The casebook of the demo study: a Chinese patent medicine for stable angina with qi stagnation and blood stasis.
 * Screening, baseline, three follow-ups, the end, visits that nobody planned, and what may come at any time. Study,
 * drug and scales are made up for it.
 */

const FOLLOW_UP = [vitalSigns, fourExaminations, syndromeScale, attacks, qualityOfLife, compliance, effect]

export const demoDefinition: DefinitionInput = {
  folders: [
    {
      folderName: '筛选期',
      folderNameEn: 'Screening',
      folderCode: 'SCR',
      schedule: plan.SCR,
      pages: [demographics, eligibility, history, vitalSigns, laboratory, electrocardiogram],
    },
    {
      folderName: '基线期（第 0 天）',
      folderNameEn: 'Baseline (day 0)',
      folderCode: 'BL',
      schedule: plan.BL,
      pages: [vitalSigns, fourExaminations, syndromeScale, attacks, qualityOfLife, randomisation],
    },
    {
      folderName: '访视 1（第 2 周）',
      folderNameEn: 'Visit 1 (week 2)',
      folderCode: 'V1',
      schedule: plan.V1,
      pages: FOLLOW_UP,
    },
    {
      folderName: '访视 2（第 4 周）',
      folderNameEn: 'Visit 2 (week 4)',
      folderCode: 'V2',
      schedule: plan.V2,
      pages: FOLLOW_UP,
    },
    {
      folderName: '访视 3（第 8 周）',
      folderNameEn: 'Visit 3 (week 8)',
      folderCode: 'V3',
      schedule: plan.V3,
      pages: [...FOLLOW_UP, laboratory, electrocardiogram],
    },
    { folderName: '研究结束', folderNameEn: 'End of study', folderCode: 'EOS', schedule: plan.EOS, pages: [ending] },
    {
      folderName: '非计划访视',
      folderNameEn: 'Unscheduled visit',
      folderCode: 'UNS',
      schedule: plan.UNS,
      pages: [vitalSigns, electrocardiogram],
    },
    {
      folderName: '随时记录',
      folderNameEn: 'Log forms',
      folderCode: 'LOG',
      schedule: plan.LOG,
      pages: [otherDrugs, adverseEvents],
    },
  ],
}

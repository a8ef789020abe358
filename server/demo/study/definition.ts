import type { DefinitionInput } from '#core/api/calls/design.ts'
import { visit } from '#server/demo/study/columns.ts'
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
    visit('SCR', ['筛选期', 'Screening'], plan.SCR, [
      demographics,
      eligibility,
      history,
      vitalSigns,
      laboratory,
      electrocardiogram,
    ]),
    visit('BL', ['基线期（第 0 天）', 'Baseline (day 0)'], plan.BL, [
      vitalSigns,
      fourExaminations,
      syndromeScale,
      attacks,
      qualityOfLife,
      randomisation,
    ]),
    visit('V1', ['访视 1（第 2 周）', 'Visit 1 (week 2)'], plan.V1, FOLLOW_UP),
    visit('V2', ['访视 2（第 4 周）', 'Visit 2 (week 4)'], plan.V2, FOLLOW_UP),
    visit('V3', ['访视 3（第 8 周）', 'Visit 3 (week 8)'], plan.V3, [...FOLLOW_UP, laboratory, electrocardiogram]),
    visit('EOS', ['研究结束', 'End of study'], plan.EOS, [ending]),
    visit('UNS', ['非计划访视', 'Unscheduled visit'], plan.UNS, [vitalSigns, electrocardiogram]),
    visit('LOG', ['随时记录', 'Log forms'], plan.LOG, [otherDrugs, adverseEvents]),
  ],
}

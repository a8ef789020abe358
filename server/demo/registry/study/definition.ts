import type { DefinitionInput } from '#core/api/calls/design.ts'
import { planVisit } from '#server/demo/study/plan.ts'
import { fourExaminations } from '#server/demo/study/tcm.ts'
import { otherDrugs } from '#server/demo/study/treatment.ts'
import { basics, diagnosis, prescription, syndrome } from '#server/demo/registry/study/pages.ts'
import { effect, reactions, registryEnd, sleepScale } from '#server/demo/registry/study/scales.ts'

/**
 * The casebook of the registry: insomnia that is treated with decoctions by syndrome. First visit, two return visits,
 * a follow-up, the end, visits that nobody planned, and what may come at any time.
 */
export const registryDefinition: DefinitionInput = {
  folders: [
    {
      folderName: '首诊',
      folderNameEn: 'First visit',
      folderCode: 'ENR',
      schedule: planVisit(null, 0, 0, 3),
      pages: [basics, diagnosis, fourExaminations, syndrome, sleepScale, prescription],
    },
    {
      folderName: '复诊 1（第 2 周）',
      folderNameEn: 'Return visit 1 (week 2)',
      folderCode: 'F1',
      schedule: planVisit('ENR', 14, 3, 4),
      pages: [fourExaminations, syndrome, sleepScale, prescription],
    },
    {
      folderName: '复诊 2（第 4 周）',
      folderNameEn: 'Return visit 2 (week 4)',
      folderCode: 'F2',
      schedule: planVisit('ENR', 28, 3, 5),
      pages: [fourExaminations, syndrome, sleepScale, prescription, effect],
    },
    {
      folderName: '随访（第 12 周）',
      folderNameEn: 'Follow-up (week 12)',
      folderCode: 'F3',
      schedule: planVisit('ENR', 84, 7, 7),
      pages: [sleepScale, effect],
    },
    {
      folderName: '登记结束',
      folderNameEn: 'End of the registry',
      folderCode: 'END',
      schedule: planVisit('F3', 0, 0, 7),
      pages: [registryEnd],
    },
    {
      folderName: '临时复诊',
      folderNameEn: 'Unscheduled visit',
      folderCode: 'UNS',
      schedule: { kind: 'unscheduled' },
      pages: [sleepScale, prescription],
    },
    {
      folderName: '随时记录',
      folderNameEn: 'Log forms',
      folderCode: 'LOG',
      schedule: { kind: 'log' },
      pages: [otherDrugs, reactions],
    },
  ],
}

import type { DefinitionInput } from '#core/api/calls/design.ts'
import { visit } from '#server/demo/study/columns.ts'
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
    visit('ENR', ['首诊', 'First visit'], planVisit(null, 0, 0, 3), [
      basics,
      diagnosis,
      fourExaminations,
      syndrome,
      sleepScale,
      prescription,
    ]),
    visit('F1', ['复诊 1（第 2 周）', 'Return visit 1 (week 2)'], planVisit('ENR', 14, 3, 4), [
      fourExaminations,
      syndrome,
      sleepScale,
      prescription,
    ]),
    visit('F2', ['复诊 2（第 4 周）', 'Return visit 2 (week 4)'], planVisit('ENR', 28, 3, 5), [
      fourExaminations,
      syndrome,
      sleepScale,
      prescription,
      effect,
    ]),
    visit('F3', ['随访（第 12 周）', 'Follow-up (week 12)'], planVisit('ENR', 84, 7, 7), [sleepScale, effect]),
    visit('END', ['登记结束', 'End of the registry'], planVisit('F3', 0, 0, 7), [registryEnd]),
    visit('UNS', ['临时复诊', 'Unscheduled visit'], { kind: 'unscheduled' }, [sleepScale, prescription]),
    visit('LOG', ['随时记录', 'Log forms'], { kind: 'log' }, [otherDrugs, reactions]),
  ],
}

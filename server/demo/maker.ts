import { demoPeople } from '#server/demo/accounts.ts'
import type { DemoAccount } from '#server/demo/accounts.ts'
import { askAbout } from '#server/demo/ask.ts'
import { asked } from '#server/demo/course/asked.ts'
import { casebookOf } from '#server/demo/course/casebook.ts'
import { courseOf } from '#server/demo/course/course.ts'
import { roster } from '#server/demo/course/roster.ts'
import type { Subject } from '#server/demo/course/roster.ts'
import { birthOf } from '#server/demo/course/screeningPages.ts'
import { unplannedPagesOf, visitFactsOf } from '#server/demo/course/visitFacts.ts'
import { enrol, enterPage, enterSideBySide, patientIdOf, sayOfVisit } from '#server/demo/enter.ts'
import type { Bedside } from '#server/demo/enter.ts'
import type { DemoHand } from '#server/demo/hand.ts'
import { setUpStudy } from '#server/demo/setUp.ts'
import type { MadeStudy, StudyPlan } from '#server/demo/setUp.ts'
import { demoDefinition } from '#server/demo/study/definition.ts'

/**
 * The demo study, made by the same services as any other. The key of each step is derived from its name. So an
 * interrupted start is continued where it ended, and nothing is made twice.
 */

const CENTERS = [
  { centerName: '云岭省中医医院', centerCode: '01', planEnrolls: 40 },
  { centerName: '临江市第二中医医院', centerCode: '02', planEnrolls: 40 },
  { centerName: '海宁湾中西医结合医院', centerCode: '03', planEnrolls: 40 },
]
const PLAN: StudyPlan = {
  steps: '',
  project: {
    projectName:
      '示例：芎丹通络胶囊治疗稳定型心绞痛（气滞血瘀证）的随机、双盲、多中心研究 / ' +
      'Demo: Xiongdan Tongluo for stable angina (qi stagnation and blood stasis), a randomised double-blind multicentre trial',
    projectScopeCode: 'areamultiple',
  },
  centers: CENTERS,
  isDouble: 0,
  dictionaries: [],
  remark: '首版',
  definition: demoDefinition,
  team: demoPeople,
  testers: ['tester', 'dbd'],
}
/** The coordinator of each center. */
const COORDINATORS = ['crc', 'crc2', 'crc3'] as const satisfies readonly DemoAccount[]

/** @throws Interrupted when the server is stopping */
export async function makeDrugStudy(hand: DemoHand): Promise<void> {
  const study = await setUpStudy(hand, PLAN)
  // First the subjects are enrolled, so that each gets the number of their place in the list. Then data are entered,
  // for all centers side by side.
  for (const subject of roster) await enrolSubject(hand, study, subject)
  await enterSideBySide(CENTERS.map(async (_center, index) => enterPagesOf(hand, study, index)))
}

async function enrolSubject(hand: DemoHand, study: MadeStudy, subject: Subject): Promise<void> {
  const course = courseOf(subject, study.madeOn)
  await enrol(hand, study, bedsideOf(subject), {
    ...subject,
    birthDate: birthOf(course),
    enrolledOn: course.dayOf('SCR'),
  })
}

async function enterPagesOf(hand: DemoHand, study: MadeStudy, center: number): Promise<void> {
  for (const subject of roster.filter((one) => one.center === center)) {
    const bedside = bedsideOf(subject)
    for (const said of visitFactsOf(subject, study.madeOn)) await sayOfVisit(hand, study, bedside, said)
    for (const page of [...casebookOf(subject, study.madeOn), ...unplannedPagesOf(subject, study.madeOn)])
      await enterPage(hand, study, bedside, page)
    for (const one of asked.filter(({ no }) => no === subject.no)) await askAbout(hand, study, bedside, one)
  }
}

function bedsideOf({ no, center }: Subject): Bedside {
  return { no, patientId: patientIdOf(no), account: COORDINATORS[center] }
}

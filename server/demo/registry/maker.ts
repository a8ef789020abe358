import { openSecondPass } from '#server/areas/doubleEntry/service.ts'
import type { DemoAccount } from '#server/demo/accounts.ts'
import { enrol, enterPage, enterSideBySide, patientIdOf, sayOfVisit } from '#server/demo/enter.ts'
import type { Bedside } from '#server/demo/enter.ts'
import type { DemoHand } from '#server/demo/hand.ts'
import { registryFacts, registryPages } from '#server/demo/registry/course/casebook.ts'
import { SECOND_PASS } from '#server/demo/registry/course/planted.ts'
import { ENROLLED_TWICE, participants } from '#server/demo/registry/course/roster.ts'
import type { Participant } from '#server/demo/registry/course/roster.ts'
import { birthDayOf, dayOfVisit } from '#server/demo/registry/course/visitPages.ts'
import { bringPhotograph, photographOf, withPhotograph } from '#server/demo/registry/photographs.ts'
import { registryDefinition } from '#server/demo/registry/study/definition.ts'
import { herbDictionary } from '#server/demo/registry/study/herbs.ts'
import { setUpStudy } from '#server/demo/setUp.ts'
import type { MadeStudy, StudyPlan } from '#server/demo/setUp.ts'
import { directAct } from '#server/operations/act.ts'
import { takeIn } from '#server/operations/takeIn.ts'

/**
 * The demo's second study: a small registry of one center, in which everything is entered that the trial has not:
 * prescriptions, photographs, a second pass, a conflict, a record that was removed.
 */

const [FIRST, SECOND] = ['tcmcrc', 'tcmcrc2'] as const satisfies readonly DemoAccount[]

const PLAN: StudyPlan = {
  steps: 'registry ',
  project: {
    projectName:
      '示例：不寐（失眠）中药复方治疗的单中心观察性登记研究 / Demo: Chinese herbal formulas for insomnia, a single-centre registry',
    projectScopeCode: 'areasingle',
  },
  centers: [{ centerName: '青禾市中医院脑病科', centerCode: 'BM', planEnrolls: 60 }],
  isDouble: 1,
  dictionaries: [herbDictionary],
  remark: '首版',
  definition: registryDefinition,
  team: [
    { account: 'tcmpi', role: 'PI', center: 0, status: 'active' },
    { account: FIRST, role: 'CRC', center: 0, status: 'active' },
    { account: SECOND, role: 'CRC', center: 0, status: 'active', pass: 2 },
    { account: 'dbd', role: 'DBD', center: null, status: 'active' },
  ],
  testers: [FIRST, 'dbd'],
}

/** @throws Interrupted when the server is stopping */
export async function setUpRegistry(hand: DemoHand): Promise<MadeStudy> {
  return setUpStudy(hand, PLAN)
}

/** @throws Interrupted when the server is stopping */
export async function fillRegistry(hand: DemoHand, study: MadeStudy): Promise<void> {
  for (const one of participants) await enrolParticipant(hand, study, one)
  // Two people's data are entered at a time: one alone would mostly wait for the database.
  await enterSideBySide([0, 1].map(async (lane) => enterLane(hand, study, lane)))
  await removeTwin(hand, study)
}

async function enterLane(hand: DemoHand, study: MadeStudy, lane: number): Promise<void> {
  for (const [index, one] of participants.entries()) {
    if (index % 2 !== lane) continue
    if (SECOND_PASS.some(({ no }) => no === one.no)) await openSecond(hand, study, one)
    await enterAll(hand, study, one)
  }
}

async function enrolParticipant(hand: DemoHand, study: MadeStudy, one: Participant): Promise<void> {
  const { madeOn } = study
  await enrol(hand, study, bedsideOf(one), {
    ...one,
    birthDate: birthDayOf(one, madeOn),
    enrolledOn: dayOfVisit(one, 'ENR', madeOn),
    center: 0,
  })
}

async function openSecond(hand: DemoHand, { projectId, versionId }: MadeStudy, { no }: Participant): Promise<void> {
  const { services, actor, acted, key, protocol, ip } = hand.online(SECOND, `second pass ${no}`, versionId, 2)
  const body = { patientId: patientIdOf(no), doubleSeqNo: 2 as const }
  await openSecondPass({
    call: 'double.create',
    services,
    actor,
    acted,
    key,
    protocol,
    ip: ip ?? '',
    query: {},
    body,
    projectId,
  })
}

async function enterAll(hand: DemoHand, study: MadeStudy, one: Participant): Promise<void> {
  const bedside = bedsideOf(one)
  for (const said of registryFacts(one, study.madeOn)) await sayOfVisit(hand, study, bedside, said)
  for (const page of registryPages(one, study.madeOn)) {
    const photograph = page.pass === 2 ? null : photographOf(one.no, page)
    const account = page.pass === 2 ? SECOND : FIRST
    await enterPage(hand, study, { ...bedside, account }, withPhotograph(page, photograph))
    if (photograph !== null) await bringPhotograph(hand, study, bedside, page, photograph)
  }
}

/** Someone was enrolled twice: the second record is removed, with its reason. */
async function removeTwin(hand: DemoHand, { projectId, versionId }: MadeStudy): Promise<void> {
  const id = patientIdOf(ENROLLED_TWICE.no)
  const body = { id, projectId, reason: { code: 'other', text: ENROLLED_TWICE.why } } as const
  const context = hand.online(FIRST, `remove ${ENROLLED_TWICE.no}`, versionId)
  await takeIn(hand.services, directAct(context, { call: 'patient.remove', body, projectId, entityId: id }))
}

function bedsideOf({ no }: Participant): Bedside {
  return { no, patientId: patientIdOf(no), account: FIRST }
}

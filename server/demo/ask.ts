import type { QueryPlace } from '#core/review/queryThread.ts'
import { deriveId } from '#server/demo/changes.ts'
import type { Asked } from '#server/demo/course/asked.ts'
import type { Bedside } from '#server/demo/enter.ts'
import type { DemoHand } from '#server/demo/hand.ts'
import { targetAt } from '#server/demo/setUp.ts'
import type { MadeStudy } from '#server/demo/setUp.ts'
import { directAct } from '#server/operations/act.ts'
import { takeIn } from '#server/operations/takeIn.ts'

/** Asks about a subject of the demo, and lets the site answer. */
export async function askAbout(
  hand: DemoHand,
  { projectId, versionId, folders }: MadeStudy,
  { no, patientId, account }: Bedside,
  { folder: folderCode, page: pageCode, code, by, text, isUrgent = false, isCandidate = false, steps }: Asked,
): Promise<void> {
  const name = `query ${no} ${folderCode} ${pageCode} ${code ?? ''}`
  const id = deriveId(name)
  const place: QueryPlace = {
    ...targetAt({ folders }, patientId, folderCode, pageCode),
    table: null,
    rid: null,
    code,
  }
  const body = { id, projectId, place, text, isCandidate, isUrgent, dueOn: null }
  const asking = { call: 'query.raise', body, projectId, entityId: id } as const
  await takeIn(hand.services, directAct(hand.online(by, name, versionId), asking))
  for (const [at, { act, text: said, category = null }] of steps.entries()) {
    const deed = { id, projectId, patientId, act, text: said, category }
    const acting = { call: 'query.act', body: deed, projectId, entityId: id } as const
    const who = act === 'answer' ? account : by
    await takeIn(hand.services, directAct(hand.online(who, `${name} ${at}`, versionId), acting))
  }
}
